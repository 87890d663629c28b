// The SQL that moves the next attempt of waiting deliveries to now: of one delivery, or of the retries that match a job.

import type { Tenant, TenantTransaction } from '../../access/authority/index.ts';
import { firstUuidAt } from '../../kit/crypto/ids.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { RedeliveryFilter } from './redelivery-filter.ts';

/** The place of a delivery that has not ended, in the queue of its endpoint. */
export interface QueuedRow {
  state: 'waiting' | 'held' | 'in_flight';
  /** Why the delivery is held; null unless it is held. */
  reason: string | null;
  /** Null while an earlier event of its subject is delivered first. */
  due_at: Date | null;
  /** The event that is delivered first; null if the delivery waits for none. */
  earlier_event_id: string | null;
}

/**
 * Locks the queue row of a delivery until the transaction ends. Undefined if the delivery has ended. The lock is a
 * separate statement: after a wait for a claim, the second statement reads the state that the claim committed.
 */
export function lockQueued(tenant: TenantTransaction, deliveryId: string): Promise<QueuedRow | undefined> {
  tenant.send(sql`select from queue where app_id = ${tenant.appId} and delivery_id = ${deliveryId} for update`);
  return tenant.first(sql`
    select q.state, case when q.state = 'held' then d.reason end as reason, nullif(q.due_at, 'infinity') as due_at,
      case when q.due_at = 'infinity' then (
        select earlier.event_id from queue earlier
        where earlier.app_id = q.app_id and earlier.endpoint_id = q.endpoint_id and earlier.subject_id = q.subject_id
          and earlier.due_at < 'infinity'
        order by earlier.sequence limit 1) end as earlier_event_id
    from queue q join deliveries d on d.app_id = q.app_id and d.delivery_id = q.delivery_id
    where q.app_id = ${tenant.appId} and q.delivery_id = ${deliveryId}`);
}

/**
 * Makes a delivery due now, unless it is due already. Rate, order and access apply as before, because the next claim
 * judges them.
 */
export async function makeDueNow(tenant: Tenant, deliveryId: string): Promise<void> {
  await tenant.query(sql`update queue set due_at = clock_timestamp()
    where app_id = ${tenant.appId} and delivery_id = ${deliveryId} and due_at > clock_timestamp()`);
}

/**
 * Selects the next `size` deliveries of the app in the queue, in the order of their ids, and whether each is a retry that
 * matches the filter and is not due yet. Held deliveries, deliveries in flight, and deliveries behind an earlier event
 * match no job. The primary key bounds the rows that a statement reads, however many deliveries wait.
 */
function windowOf(tenant: Tenant, filter: RedeliveryFilter, after: string, createdBefore: Date, size: number): Sql {
  const { endpoint_id, event_type, since, until } = filter;
  const ofEndpoint = endpoint_id === null ? sql`` : sql`and q.endpoint_id = ${endpoint_id}`;
  const beforeEvent = until === null ? sql`` : sql`and q.event_id < ${firstUuidAt(until.getTime())}`;
  const ofType =
    event_type === null
      ? sql``
      : sql`and exists (select from events ev
          where ev.app_id = ${tenant.appId} and ev.event_id = q.event_id and ev.type = ${event_type})`;
  return sql`examined as materialized (
      select q.delivery_id,
        q.state = 'waiting' and q.attempt_no > 0 and q.trigger is distinct from 'test'
          and q.due_at > statement_timestamp() and q.due_at < 'infinity'
          and q.event_id >= ${firstUuidAt(since.getTime())} ${beforeEvent} ${ofEndpoint} ${ofType} as is_meant
      from queue q
      where q.app_id = ${tenant.appId} and q.delivery_id > ${after} and q.delivery_id < ${firstUuidAt(createdBefore.getTime())}
      order by q.delivery_id limit ${size})`;
}

interface RetryCountRow {
  examined: number;
  count: number;
  /** The ids of the first and the last match; null without a match. */
  first_id: string | null;
  last_id: string | null;
  /** The last examined id; null if the window was empty. */
  last: string | null;
}

export async function countRetries(
  tenant: Tenant,
  filter: RedeliveryFilter,
  after: string,
  createdBefore: Date,
  size: number,
): Promise<RetryCountRow> {
  // Before Postgres 18, min() does not accept a uuid.
  const rows = await tenant.query<RetryCountRow>(sql`
    with ${windowOf(tenant, filter, after, createdBefore, size)}
    select count(*)::int as examined, count(*) filter (where is_meant)::int as count,
      min(delivery_id::text collate "C") filter (where is_meant) as first_id,
      max(delivery_id::text collate "C") filter (where is_meant) as last_id,
      max(delivery_id::text collate "C") as last
    from examined`);
  return rows[0] as RetryCountRow; // an aggregate returns one row
}

/** Returns how many deliveries of the matching endpoints became due after `since` and wait, at most `most`. */
export async function countDue(
  tenant: Tenant,
  { endpoint_id }: RedeliveryFilter,
  since: Date,
  most: number,
): Promise<number> {
  const named = endpoint_id === null ? sql`` : sql`and e.endpoint_id = ${endpoint_id}`;
  const rows = await tenant.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select from endpoints e cross join lateral (
        select from queue where app_id = ${tenant.appId} and endpoint_id = e.endpoint_id and state = 'waiting'
          and due_at >= ${since} and due_at <= statement_timestamp() limit ${most}) due
      where e.app_id = ${tenant.appId} ${named} limit ${most}) waiting`);
  return rows[0]?.count ?? 0;
}

interface MovedRetriesRow {
  examined: number;
  /** How many retries matched, and how many of them are due now. A claim held the others. */
  matched: number;
  moved: number;
  /** The position after this batch; null if the window was empty. */
  last: string | null;
}

/** Makes the next matching retries due now, at most `sizes.batch` out of one window. Moves `due_at` only. */
export async function makeRetriesDueNow(
  tenant: Tenant,
  filter: RedeliveryFilter,
  after: string,
  createdBefore: Date,
  sizes: { window: number; batch: number },
): Promise<MovedRetriesRow> {
  const rows = await tenant.query<MovedRetriesRow>(sql`
    with ${windowOf(tenant, filter, after, createdBefore, sizes.window)},
    next as materialized (
      select delivery_id from examined where is_meant order by delivery_id limit ${sizes.batch}),
    free as materialized (
      select q.delivery_id from next cross join lateral (
        select delivery_id from queue
        where app_id = ${tenant.appId} and delivery_id = next.delivery_id and state = 'waiting'
          and due_at > statement_timestamp() and due_at < 'infinity'
        limit 1 for update skip locked) q),
    moved as (
      update queue q set due_at = clock_timestamp() from free
      where q.app_id = ${tenant.appId} and q.delivery_id = free.delivery_id)
    select (select count(*)::int from examined) as examined, (select count(*)::int from next) as matched,
      (select count(*)::int from free) as moved,
      case when (select count(*) from next) = ${sizes.batch}
        then (select max(delivery_id::text collate "C") from next)
        else (select max(delivery_id::text collate "C") from examined) end as last`);
  return rows[0] as MovedRetriesRow; // a select without from returns one row
}
