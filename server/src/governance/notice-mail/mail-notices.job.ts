// Mails what planes have to tell. A notice and its mail are written down in one transaction, and only then is the plane told
// that it was taken: after a crash in between the plane hands it over again, and it is known. So each is mailed once.

import { signConsoleAssertion } from '../../access/authority/index.ts';
import { fromId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { schemaErrors } from '../../kit/http/schema.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { NAMED_KINDS, Pulled, type UntakenNotice } from '../../platform/notices/index.ts';
import type { PlaneConnection } from '../environments/index.ts';
import { messageOf } from './message.ts';
import { deleteOldTaken, insertTaken, listRecipients } from './store.ts';

const LOOK_EVERY_MS = 30_000;

export interface NoticeMail {
  db: Database;
  connections: readonly PlaneConnection[];
  consoleUrl: string;
}

export function startNoticeMail(options: NoticeMail, onError: (error: unknown) => void): Loop {
  return startLoop(() => mailNotices(options, onError), LOOK_EVERY_MS, onError);
}

/** Until each plane has nothing more to tell. One that cannot be reached keeps its own, and holds up no other. */
export async function mailNotices(options: NoticeMail, onError: (error: unknown) => void): Promise<void> {
  for (const connection of options.connections) await mailOf(connection, options, onError).catch(onError);
  await deleteOldTaken(options.db);
}

async function mailOf(
  connection: PlaneConnection,
  options: NoticeMail,
  onError: (error: unknown) => void,
): Promise<void> {
  let taken: string[] = [];
  do {
    const notices = await pull(connection, taken);
    taken = [];
    for (const notice of notices) {
      // What cannot be mailed now is handed over again; it keeps no other waiting.
      await take(notice, connection.environment, options).then(() => taken.push(notice.id), onError);
    }
  } while (taken.length > 0);
}

async function pull({ environment, link, managementKey }: PlaneConnection, taken: string[]): Promise<UntakenNotice[]> {
  const { status, body } = await link({
    method: 'POST',
    path: '/console/notices/pull',
    assertion: await signConsoleAssertion(environment, managementKey),
    headers: { 'notice-kinds': NAMED_KINDS.join(', ') },
    body: JSON.stringify({ taken }),
  });
  if (status !== 200) throw new Error(`The ${environment} answered ${status} when it was asked for notices.`);
  const pulled: unknown = JSON.parse(body);
  const errors = schemaErrors(Pulled, pulled);
  if (errors.length > 0)
    throw new Error(`The ${environment} told of notices in another form: ${JSON.stringify(errors)}`);
  return (pulled as { data: UntakenNotice[] }).data; // of the schema, one line above
}

function take(notice: UntakenNotice, environment: string, { db, consoleUrl }: NoticeMail): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await insertTaken(tx, environment, notice.id))) return;
    const organisationId = fromId('org', notice.organisationId) ?? '';
    const message = messageOf(notice, environment, consoleUrl);
    for (const to of await listRecipients(tx, organisationId, notice.keyCreatedBy))
      await queueMail(tx, { to, ...message });
  });
}
