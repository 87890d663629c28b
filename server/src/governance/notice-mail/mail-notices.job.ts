// Mails the notices of planes. A notice and its mail are stored in one transaction before the notice is reported as
// taken. After a crash in between the plane hands the notice over again, and the Console recognises it. So each notice
// is mailed once.

import { signConsoleAssertion } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { ANNOUNCED_KINDS, NoticePullResponse, type PendingNotice } from '../../platform/notices/index.ts';
import type { PlaneConnection } from '../environments/index.ts';
import { messageOf } from './message.ts';
import { deleteOldTaken, insertTaken, listRecipients } from './store.ts';

const RUN_EVERY_MS = 30_000;

export interface NoticeMail {
  db: Database;
  connections: readonly PlaneConnection[];
  consoleUrl: string;
}

export function startNoticeMail(options: NoticeMail, onError: (error: unknown) => void): Loop {
  return startLoop(() => mailNotices(options, onError), RUN_EVERY_MS, onError);
}

/** Runs until no plane has further notices. An unreachable plane keeps its notices and delays no other plane. */
export async function mailNotices(options: NoticeMail, onError: (error: unknown) => void): Promise<void> {
  for (const connection of options.connections) await mailNoticesOfPlane(connection, options, onError).catch(onError);
  await deleteOldTaken(options.db);
}

async function mailNoticesOfPlane(
  connection: PlaneConnection,
  options: NoticeMail,
  onError: (error: unknown) => void,
): Promise<void> {
  let takenIds: string[] = [];
  do {
    const notices = await pullFromPlane(connection, takenIds);
    takenIds = [];
    for (const notice of notices) {
      // A notice that cannot be mailed is handed over again, and delays no other notice.
      await queueNoticeMail(notice, connection.environment, options).then(() => takenIds.push(notice.id), onError);
    }
  } while (takenIds.length > 0);
}

async function pullFromPlane(
  { environment, link, managementKey }: PlaneConnection,
  takenIds: string[],
): Promise<PendingNotice[]> {
  const { status, body } = await link({
    method: 'POST',
    path: '/console/notices/pull',
    assertion: await signConsoleAssertion(environment, managementKey),
    headers: { 'notice-kinds': ANNOUNCED_KINDS.join(', ') },
    body: JSON.stringify({ taken: takenIds }),
  });
  if (status !== 200) throw new Error(`The ${environment} answered ${status} to a request for notices.`);
  const pulled: unknown = JSON.parse(body);
  const errors = schemaErrors(NoticePullResponse, pulled);
  if (errors.length > 0)
    throw new Error(`The ${environment} returned notices that do not match the schema: ${JSON.stringify(errors)}`);
  return (pulled as { data: PendingNotice[] }).data; // checked against the schema above
}

function queueNoticeMail(notice: PendingNotice, environment: string, { db, consoleUrl }: NoticeMail): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await insertTaken(tx, environment, notice.id))) return;
    const organisationId = fromId('org', notice.organisationId) ?? '';
    const message = messageOf(notice, environment, consoleUrl);
    for (const to of await listRecipients(tx, organisationId, notice.keyCreatedBy))
      await queueMail(tx, { to, ...message });
  });
}
