// Takes the notices of planes. A notice is added to the next mails and messages in one transaction before it is
// reported as taken. After a crash in between the plane hands the notice over again, and the Console recognises it. So
// each notice is mailed once. Due notices of a member are then queued as one mail.

import { type Environment, signConsoleAssertion } from '../../access/authority/index.ts';
import { toId, toUuid } from '../../kit/crypto/ids.ts';
import type { Database, Queryable } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { runEach } from '../../kit/flow/run-each.ts';
import { schemaErrors, strictObject, Type } from '../../kit/http/schema.ts';
import { queueMail } from '../../platform/mail/index.ts';
import { ANNOUNCED_KINDS, NoticeId, PendingNotice, PULL_LIMIT } from '../../platform/notices/index.ts';
import type { PlaneConnection } from '../environments/index.ts';
import { announceNotice } from './announce-notice.ts';
import { combineMessages, messageOf } from './message.ts';
import { type DueMember, deleteOldRows, insertTaken, listDueMembers, lockDueMails, markMailed } from './store.ts';

const RUN_EVERY_MS = 30_000;
const MEMBERS_PER_RUN = 1_000;
const CAUSES_PER_MAIL = 1_000;

interface NoticeMail {
  db: Database;
  connections: readonly PlaneConnection[];
  consoleUrl: string;
}

export function startNoticeMail(options: NoticeMail, onError: (error: unknown) => void): Loop {
  return startLoop(() => mailNotices(options, onError), RUN_EVERY_MS, onError);
}

/** Runs until no plane has further notices. An unreachable plane keeps its notices and delays no other plane. */
export async function mailNotices(options: NoticeMail, onError: (error: unknown) => void): Promise<void> {
  for (const connection of options.connections) await takeNoticesOfPlane(connection, options, onError).catch(onError);
  await queueDueMails(options, onError);
  await deleteOldRows(options.db);
}

async function takeNoticesOfPlane(
  connection: PlaneConnection,
  options: NoticeMail,
  onError: (error: unknown) => void,
): Promise<void> {
  let takenIds: string[] = [];
  do {
    const notices = await pullFromPlane(connection, takenIds);
    takenIds = [];
    for (const pulled of notices) {
      const errors = schemaErrors(PendingNotice, pulled);
      if (errors.length > 0) {
        // No later run could mail it, and 100 of them would delay all others. The Console lists it.
        takenIds.push(pulled.id);
        onError(
          new Error(
            `The notice ${pulled.id} of the ${connection.environment} is not mailed: ${JSON.stringify(errors)}`,
          ),
        );
        continue;
      }
      const notice = pulled as PendingNotice; // checked against the schema above
      // A notice that cannot be mailed now is handed over again, and delays no other notice.
      await takeNotice(notice, connection.environment, options).then(() => takenIds.push(notice.id), onError);
    }
  } while (takenIds.length > 0);
}

const PulledNotices = strictObject({
  // Each notice is checked later, so that an invalid one delays no other.
  data: Type.Array(Type.Object({ id: NoticeId }), { maxItems: PULL_LIMIT }),
});
type PulledNotice = Pick<PendingNotice, 'id'>;

async function pullFromPlane(
  { environment, link, managementKey }: PlaneConnection,
  takenIds: string[],
): Promise<PulledNotice[]> {
  const { status, body } = await link({
    method: 'POST',
    path: '/console/notices/pull',
    assertion: await signConsoleAssertion(environment, managementKey),
    headers: { 'notice-kinds': ANNOUNCED_KINDS.join(', ') },
    body: JSON.stringify({ taken: takenIds }),
  });
  if (status !== 200) throw new Error(`The ${environment} answered ${status} to a request for notices.`);
  const pulled: unknown = JSON.parse(body);
  const errors = schemaErrors(PulledNotices, pulled);
  if (errors.length > 0)
    throw new Error(`The ${environment} returned notices that do not match the schema: ${JSON.stringify(errors)}`);
  return (pulled as { data: PulledNotice[] }).data; // checked against the schema above
}

function takeNotice(notice: PendingNotice, environment: Environment, { db, consoleUrl }: NoticeMail): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await insertTaken(tx, environment, notice.id))) return;
    const { kind, appId, keyId, endpointId, server, deprecation } = notice;
    const part = server?.id ?? deprecation?.id;
    const ofApp = part === undefined ? appId : `${appId} ${part}`;
    const object = kind === 'event_scopes' || part !== undefined ? ofApp : (endpointId ?? keyId);
    const { organisationId, keyCreatedBy, foundAt: leakUrl, ...facts } = notice;
    await announceNotice(tx, {
      organisationId: toUuid('org', organisationId),
      environment,
      kind,
      cause: `${kind} ${object}`,
      createdBy: keyCreatedBy,
      message: messageOf(notice, environment, consoleUrl),
      notice: { ...facts, leakUrl },
    });
  });
}

/** Queues one mail for each member with due notices. A mail that cannot be queued stays due, and delays no other. */
async function queueDueMails({ db, consoleUrl }: NoticeMail, onError: (error: unknown) => void): Promise<void> {
  const queue = (member: DueMember) => db.transaction((tx) => queueDueMail(tx, member, consoleUrl));
  await runEach('notice mail', await listDueMembers(db, MEMBERS_PER_RUN), queue, onError);
}

async function queueDueMail(tx: Queryable, member: DueMember, consoleUrl: string): Promise<void> {
  const rows = await lockDueMails(tx, member, CAUSES_PER_MAIL);
  if (rows.length === 0) return;
  await markMailed(tx, member, rows);
  const to = rows[0]?.recipient;
  if (!to) return; // a suspended member
  await queueMail(tx, { to, ...combineMessages(rows, settingsUrl(consoleUrl, member)) });
}

const settingsUrl = (consoleUrl: string, { organisation_id }: DueMember): string =>
  `${consoleUrl}/sandbox/${toId('org', organisation_id)}/notices?view=settings`;
