// The SQL of destinations and of the messages to them, in the Console's database.
import type { Environment } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import type { SealedValue } from '../../kit/crypto/seal.ts';
import { deleteSome } from '../../kit/db/bounded-deletion-store.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { Notice, NoticeMessage, PendingNotice, SentKind } from '../../platform/notices/index.ts';
import type { DestinationKind, DestinationRow, NoticeDestination } from './destination.ts';

const COLUMNS = sql`destination_id, kind, name, host, environments, muted_kinds, disabled_reason, last_attempt_at,
  last_outcome, last_status, last_detail, last_success_at, created_by, created_at`;

export function listDestinations(
  tx: Queryable,
  organisationId: string,
  after: string | undefined,
  limit: number,
): Promise<DestinationRow[]> {
  const beyond = after === undefined ? sql`` : sql`and destination_id < ${after}`;
  return tx.query(sql`select ${COLUMNS} from notice_destinations where organisation_id = ${organisationId} ${beyond}
    order by destination_id desc limit ${limit}`);
}

export async function countDestinations(tx: Queryable, organisationId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from notice_destinations where organisation_id = ${organisationId}`,
  );
  return row?.count ?? 0;
}

interface NewDestination {
  organisationId: string;
  destinationId: string;
  kind: DestinationKind;
  name: string;
  host: string;
  sealedUrl: SealedValue;
  sealedSecret: SealedValue | null;
  environments: NoticeDestination['environments'];
  mutedKinds: NoticeDestination['mutedKinds'];
  createdBy: string;
}

export async function insertDestination(tx: Queryable, row: NewDestination): Promise<DestinationRow> {
  const rows = await tx.query<DestinationRow>(sql`
    insert into notice_destinations (organisation_id, destination_id, kind, name, host, sealed_url, sealed_secret,
      environments, muted_kinds, created_by)
    values (${row.organisationId}, ${row.destinationId}, ${row.kind}, ${row.name}, ${row.host}, ${row.sealedUrl},
      ${row.sealedSecret}, ${textArray(row.environments)}::text[], ${textArray(row.mutedKinds)}::text[], ${row.createdBy})
    returning ${COLUMNS}`);
  return rows[0] as DestinationRow; // the statement returns the inserted row
}

export function lockDestination(
  tx: Queryable,
  organisationId: string,
  destinationId: string,
): Promise<DestinationRow | undefined> {
  return tx.first(sql`select ${COLUMNS} from notice_destinations
    where organisation_id = ${organisationId} and destination_id = ${destinationId} for update`);
}

interface DestinationSettings extends Pick<NewDestination, 'name' | 'environments' | 'mutedKinds'> {
  /** Null: enabled. */
  disabledReason: string | null;
}

/** Changes a locked destination. */
export async function updateDestination(
  tx: Queryable,
  destinationId: string,
  { name, environments, mutedKinds, disabledReason }: DestinationSettings,
): Promise<DestinationRow> {
  const rows = await tx.query<DestinationRow>(sql`update notice_destinations set name = ${name},
      environments = ${textArray(environments)}::text[], muted_kinds = ${textArray(mutedKinds)}::text[],
      disabled_reason = ${disabledReason}
    where destination_id = ${destinationId} returning ${COLUMNS}`);
  return rows[0] as DestinationRow; // the row is locked
}

export async function disableDestination(tx: Queryable, destinationId: string, reason: string): Promise<void> {
  await tx.query(sql`update notice_destinations set disabled_reason = ${reason}
    where destination_id = ${destinationId} and disabled_reason is null`);
  await cancelMessages(tx, destinationId);
}

export function deleteDestination(
  tx: Queryable,
  organisationId: string,
  destinationId: string,
): Promise<Pick<DestinationRow, 'kind' | 'name' | 'host'> | undefined> {
  return tx.first(sql`delete from notice_destinations
    where organisation_id = ${organisationId} and destination_id = ${destinationId} returning kind, name, host`);
}

/** A notice for members and destinations. */
export interface SentNotice {
  organisationId: string;
  environment: Environment;
  kind: SentKind;
  /** The kind and the object. Notices with the same cause share one message, at most once an hour. */
  cause: string;
  message: NoticeMessage;
  /** The notice of the environment; null for a notice that the Console itself causes. */
  notice: (Omit<PendingNotice, 'organisationId' | 'keyCreatedBy' | 'foundAt'> & Pick<Notice, 'leakUrl'>) | null;
}

/** One of the notices of a message, as it is stored. */
export type MessageNotice = NoticeMessage & Pick<SentNotice, 'notice'>;

/** The number of notices of one cause that a message contains. Further ones are counted. */
const MOST_WAITING = 10;

/**
 * The rules that decide whether a destination `d` of an organisation `o` may receive a notice now. A cause in the sandbox
 * never leads to a message to a chat or an on-call service, even if the destination lists the sandbox.
 */
const allows = (environment: Sql, kind: Sql): Sql => sql`(d.disabled_reason is null
  and o.suspended_at is null and o.delete_at is null and (d.kind = 'webhook' or ${environment} = 'production')
  and ${environment} = any(d.environments) and not ${kind} = any(d.muted_kinds))`;

/**
 * Adds the notice to the next message to each destination that receives it. The update of the row of the cause decides
 * when the message is due, so concurrent notices never cause two messages within an hour. Rows are locked in the order
 * of destinations.
 */
export async function addToDestinations(tx: Queryable, sent: SentNotice): Promise<void> {
  const { organisationId, environment, kind, cause, message, notice } = sent;
  const item: MessageNotice = { ...message, notice };
  await tx.query(sql`
    insert into destination_messages as n (destination_id, environment, cause, kind, waiting, due_at)
    select d.destination_id, ${environment}, ${cause}, ${kind}, ${JSON.stringify([item])}::jsonb, clock_timestamp()
    from notice_destinations d join organisations o on o.organisation_id = d.organisation_id
    where d.organisation_id = ${organisationId} and ${allows(sql`${environment}::text`, sql`${kind}::text`)}
    order by d.destination_id
    on conflict (destination_id, environment, cause) do update set
      waiting = case when jsonb_array_length(n.waiting) < ${MOST_WAITING}::int then n.waiting || excluded.waiting else n.waiting end,
      further = n.further + (jsonb_array_length(n.waiting) >= ${MOST_WAITING}::int)::int,
      due_at = coalesce(n.due_at, greatest(excluded.due_at, n.attempted_at + interval '1 hour'))`);
}

export const TEST_KIND = 'test';

/** Queues a test message. Returns false if the previous one is still waiting. */
export async function insertTestMessage(
  tx: Queryable,
  destinationId: string,
  message: NoticeMessage,
): Promise<boolean> {
  const item: MessageNotice = { ...message, notice: null };
  const rows = await tx.query(sql`
    insert into destination_messages as n (destination_id, environment, cause, kind, waiting, due_at)
    select destination_id, environments[1], ${TEST_KIND}, ${TEST_KIND}, ${JSON.stringify([item])}::jsonb, clock_timestamp()
    from notice_destinations where destination_id = ${destinationId}
    on conflict (destination_id, environment, cause) do update set waiting = excluded.waiting, due_at = excluded.due_at
      where n.due_at is null
    returning destination_id`);
  return rows.length === 1;
}

/** Names one attempt. A process that was presumed dead cannot record the end of an attempt of another process. */
interface AttemptRef {
  destination_id: string;
  environment: Environment;
  cause: string;
  message_id: string;
  /** Starts at 1. */
  attempt_no: number;
}

export interface ClaimedMessage extends AttemptRef {
  organisation_id: string;
  kind: SentKind | typeof TEST_KIND;
  notices: MessageNotice[];
  further: number;
  begun_at: Date;
  destination_kind: DestinationKind;
  sealed_url: SealedValue;
  sealed_secret: SealedValue | null;
}

/**
 * Claims the message that is due first, except those to busy destinations. No other process can claim it for `seconds`.
 * The first claim gives a message its id and fixes its content: later notices wait for the next message.
 */
export function claimMessage(
  db: Queryable,
  busyIds: readonly string[],
  seconds: number,
): Promise<ClaimedMessage | undefined> {
  return db.first(sql`
    with due as (
      select n.destination_id, n.environment, n.cause from destination_messages n
        join notice_destinations d on d.destination_id = n.destination_id
        join organisations o on o.organisation_id = d.organisation_id
      where n.due_at <= clock_timestamp() and not n.destination_id = any(${busyIds}::uuid[])
        and ${allows(sql`n.environment`, sql`n.kind`)}
      order by n.due_at limit 1 for update of n skip locked)
    update destination_messages n set
      message_id = coalesce(n.message_id, ${newUuid()}),
      sending = coalesce(n.sending, jsonb_build_object('notices', n.waiting, 'further', n.further)),
      begun_at = case when n.message_id is null then clock_timestamp() else n.begun_at end,
      waiting = case when n.message_id is null then '[]' else n.waiting end,
      further = case when n.message_id is null then 0 else n.further end,
      attempt_no = n.attempt_no + 1,
      attempted_at = clock_timestamp(),
      due_at = clock_timestamp() + make_interval(secs => ${seconds})
    from due join notice_destinations d on d.destination_id = due.destination_id
    where n.destination_id = due.destination_id and n.environment = due.environment and n.cause = due.cause
    returning n.destination_id, n.environment, n.cause, n.message_id, n.attempt_no, n.kind,
      coalesce(n.begun_at, clock_timestamp()) as begun_at, coalesce(n.sending -> 'notices', '[]') as notices,
      coalesce((n.sending ->> 'further')::int, 0) as further,
      d.organisation_id, d.kind as destination_kind, d.sealed_url, d.sealed_secret`);
}

const attemptIs = ({ destination_id, environment, cause, message_id, attempt_no }: AttemptRef): Sql =>
  sql`destination_id = ${destination_id} and environment = ${environment} and cause = ${cause}
    and message_id = ${message_id} and attempt_no = ${attempt_no}`;

/** Ends the message. The next message of the cause is due an hour later at the earliest. Test messages leave nothing. */
export async function endMessage(tx: Queryable, attempt: AttemptRef): Promise<void> {
  if (attempt.cause === TEST_KIND) {
    await tx.query(sql`delete from destination_messages where ${attemptIs(attempt)}`);
    return;
  }
  await tx.query(sql`update destination_messages set message_id = null, sending = null, begun_at = null, attempt_no = 0,
      due_at = case when waiting = '[]' then null else attempted_at + interval '1 hour' end
    where ${attemptIs(attempt)}`);
}

/** Makes the message due again. `isCounted` is false if nothing was sent. */
export async function scheduleRetry(
  tx: Queryable,
  attempt: AttemptRef,
  inMs: number,
  isCounted: boolean,
): Promise<void> {
  await tx.query(sql`update destination_messages set due_at = clock_timestamp() + make_interval(secs => ${inMs / 1000}),
      attempt_no = attempt_no - ${isCounted ? 0 : 1}::int
    where ${attemptIs(attempt)}`);
}

export interface LastResult {
  outcome: 'succeeded' | 'waiting' | 'failed';
  status: number | null;
  detail: string | null;
}

export async function recordResult(
  tx: Queryable,
  destinationId: string,
  { outcome, status, detail }: LastResult,
): Promise<void> {
  await tx.query(sql`update notice_destinations set last_attempt_at = clock_timestamp(), last_outcome = ${outcome},
      last_status = ${status}::int, last_detail = ${detail},
      last_success_at = case when ${outcome} = 'succeeded' then clock_timestamp() else last_success_at end
    where destination_id = ${destinationId}`);
}

/** Returns the ids of those of these messages whose attempts may continue. */
export async function listAllowedAttempts(db: Queryable, messageIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ message_id: string }>(sql`
    select n.message_id from destination_messages n
      join notice_destinations d on d.destination_id = n.destination_id
      join organisations o on o.organisation_id = d.organisation_id
    where n.message_id = any(${messageIds}::uuid[]) and ${allows(sql`n.environment`, sql`n.kind`)}`);
  return rows.map((row) => row.message_id);
}

// The times of the attempts stay, so that a destination that is disabled and enabled in a loop receives no more messages.
const CANCELLED = sql`waiting = '[]', further = 0, message_id = null, sending = null, begun_at = null, attempt_no = 0,
  due_at = null, attempted_at = coalesce(n.attempted_at, clock_timestamp())`;

/** Cancels the waiting messages to the destination. */
export async function cancelMessages(tx: Queryable, destinationId: string): Promise<void> {
  await tx.query(sql`update destination_messages n set ${CANCELLED}
    where n.destination_id = ${destinationId} and n.due_at is not null`);
}

/** Cancels due messages that their destination may no longer receive, for example those of a suspended organisation. */
export async function cancelRefusedMessages(db: Queryable, limit = 1_000): Promise<void> {
  await db.query(sql`update destination_messages n set ${CANCELLED}
    from (select n.destination_id, n.environment, n.cause from destination_messages n
        join notice_destinations d on d.destination_id = n.destination_id
        join organisations o on o.organisation_id = d.organisation_id
      where n.due_at <= clock_timestamp() and not ${allows(sql`n.environment`, sql`n.kind`)}
      order by n.due_at limit ${limit} for update of n skip locked) refused
    where n.destination_id = refused.destination_id and n.environment = refused.environment and n.cause = refused.cause`);
}

/** Deletes rows without a message. The time of the latest attempt counts for an hour. */
export async function deleteOldMessages(db: Queryable, limit = 1_000): Promise<void> {
  await deleteSome(db, {
    from: sql`destination_messages`,
    where: sql`due_at is null and attempted_at < statement_timestamp() - interval '1 hour'`,
    by: sql`attempted_at`,
    limit,
  });
}
