// The SQL of the outbox.

import { newUuid } from '../../kit/crypto/ids.ts';
import { deleteSome } from '../../kit/db/bounded-deletion-store.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { nothing, sql } from '../../kit/db/sql.ts';
import { type NewMessage, subjectOf } from './retry-decision.ts';

/** Queues a message in the caller's transaction. It is sent only if the transaction commits. */
export async function queueMail(tx: Queryable, { to, subject, text }: NewMessage): Promise<void> {
  await tx.query(sql`insert into outbox (message_id, recipient, subject, text)
    values (${newUuid()}, ${to}, ${subjectOf(subject)}, ${text})`);
}

export interface ClaimedRow {
  message_id: string;
  recipient: string;
  subject: string;
  text: string;
  /** Includes the current attempt. */
  attempts: number;
}

/** Claims due messages, oldest first. No other process can claim them for `seconds`. */
export function claimMessages(db: Queryable, limit: number, seconds: number): Promise<ClaimedRow[]> {
  return db.query(sql`update outbox o
    set attempts = o.attempts + 1, due_at = clock_timestamp() + make_interval(secs => ${seconds})
    from (select message_id from outbox where state = 'waiting' and due_at <= clock_timestamp()
      order by due_at limit ${limit} for update skip locked) due
    where o.message_id = due.message_id
    returning o.message_id, o.recipient, o.subject, o.text, o.attempts`);
}

/** Returns how many seconds the oldest waiting message has waited, including attempts; undefined without any. */
export async function findMailAge(db: Queryable): Promise<number | undefined> {
  const rows = await db.query<{ seconds: number | null }>(sql`
    select extract(epoch from clock_timestamp() - min(queued_at))::float8 as seconds from outbox where state = 'waiting'`);
  return rows[0]?.seconds ?? undefined;
}

// The update names the attempt, so a process that was presumed dead cannot change a message that another process has
// claimed.

export async function markSent(db: Queryable, { message_id, attempts }: ClaimedRow): Promise<void> {
  await db.query(sql`update outbox set state = 'sent', text = null, last_error = null, ended_at = clock_timestamp()
    where message_id = ${message_id} and attempts = ${attempts} and state = 'waiting'`);
}

export async function markFailed(db: Queryable, { message_id, attempts }: ClaimedRow, error: string): Promise<void> {
  await db.query(sql`update outbox set state = 'failed', text = null, last_error = ${error}, ended_at = clock_timestamp()
    where message_id = ${message_id} and attempts = ${attempts} and state = 'waiting'`);
}

export async function markWaiting(
  db: Queryable,
  { message_id, attempts }: ClaimedRow,
  error: string,
  retryInSeconds: number,
): Promise<void> {
  await db.query(sql`update outbox
    set last_error = ${error}, due_at = clock_timestamp() + make_interval(secs => ${retryInSeconds})
    where message_id = ${message_id} and attempts = ${attempts} and state = 'waiting'`);
}

/**
 * Deletes waiting messages after a week, because their links have expired, and ended messages after a month. Deletes a
 * bounded number each time.
 */
export async function eraseOldMessages(db: Queryable, limit = 1_000): Promise<void> {
  const from = sql`outbox`;
  const by = sql`queued_at`;
  await deleteSome(db, { from, where: sql`queued_at < statement_timestamp() - interval '30 days'`, by, limit });
  const where = sql`state = 'waiting' and queued_at < statement_timestamp() - interval '7 days'`;
  await deleteSome(db, { from, where, by, limit });
}

export interface MessageRow {
  message_id: string;
  recipient: string;
  subject: string;
  /** Null once the message has ended. */
  text: string | null;
  state: 'waiting' | 'sent' | 'failed';
  attempts: number;
  last_error: string | null;
  queued_at: Date;
  ended_at: Date | null;
}

const columns = sql`message_id, recipient, subject, text, state, attempts, last_error, queued_at, ended_at`;

interface MessagePage {
  limit: number;
  /** Only messages that are older than this one. */
  before: string | undefined;
  /** Any state if undefined. */
  state: MessageRow['state'] | undefined;
}

/** Returns messages, newest first. */
export function listMessages(tx: Queryable, { limit, before, state }: MessagePage): Promise<MessageRow[]> {
  const older = before === undefined ? nothing : sql`and message_id < ${before}`;
  const alike = state === undefined ? nothing : sql`and state = ${state}`;
  return tx.query(sql`select ${columns} from outbox where true ${older} ${alike}
    order by message_id desc limit ${limit}`);
}

export async function findMessage(tx: Queryable, messageId: string): Promise<MessageRow | undefined> {
  return (await tx.query<MessageRow>(sql`select ${columns} from outbox where message_id = ${messageId}`))[0];
}

/** Returns the number of messages with a failed attempt that still wait, and the latest reason. */
export async function findFailingMail(db: Queryable): Promise<{ messages: number; reason: string | null }> {
  const rows = await db.query<{ messages: number; reason: string | null }>(sql`
    select count(*)::int as messages, (array_agg(last_error order by due_at desc))[1] as reason
    from outbox where state = 'waiting' and last_error is not null`);
  return rows[0] ?? { messages: 0, reason: null };
}
