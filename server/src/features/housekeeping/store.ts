// The SQL of housekeeping.
import type { Database, Queryable } from '../../kit/db.ts';
import { type Sql, sql } from '../../kit/sql.ts';

export type PartitionedTable = 'request_records' | 'events' | 'deliveries' | 'attempts';

/** Makes the partitions that are needed soon and drops those whose time is over. Each span is a Postgres interval. */
export async function tendPartitions(
  db: Queryable,
  table: PartitionedTable,
  spans: { width: string; ahead: string; keep: string },
): Promise<void> {
  await db.query(sql`select tend_partitions(${table}, ${spans.width}::interval, ${spans.ahead}::interval,
    ${spans.keep}::interval)`);
}

export async function deleteStaleIdempotencyKeys(db: Queryable): Promise<void> {
  await db.query(sql`delete from idempotency_keys where created_at < clock_timestamp() - interval '24 hours'`);
  await db.query(sql`delete from forwarded_mutations where started_at < clock_timestamp() - interval '24 hours'`);
}

/** As long as events are kept: what comes again later than that is news. */
export async function deleteOldIngested(db: Queryable, keep: string): Promise<void> {
  await db.query(sql`delete from ingested_events where at < clock_timestamp() - ${keep}::interval`);
  await db.query(sql`delete from upstream_failures where hour < clock_timestamp() - ${keep}::interval`);
}

/** As long as the records of requests, which show it too, are kept. */
export async function forgetClientAddresses(db: Queryable, keep: string): Promise<void> {
  await db.query(sql`update key_uses set client_address = null
    where client_address is not null and last_used_at < clock_timestamp() - ${keep}::interval`);
}

/** With the minutes in which records could not be kept. */
export async function deleteOldUnproved(db: Queryable, keep: string): Promise<void> {
  await db.query(
    sql`delete from unproved_requests where request_id < uuid_floor(clock_timestamp() - ${keep}::interval)`,
  );
  await db.query(sql`delete from unproved_counts where hour < clock_timestamp() - ${keep}::interval`);
  await db.query(sql`delete from record_gaps where minute < clock_timestamp() - ${keep}::interval`);
}

/** Apps whose organisation keeps requests for fewer days than others, and for how many. */
export function listShortKept(db: Queryable): Promise<{ app_id: string; days: number }[]> {
  return db.query(sql`select app_id, max_request_days as days from organisations join apps using (organisation_id)
    where max_request_days is not null`);
}

/** How many records it deleted, at most so many. */
export async function trimRecords(
  db: Queryable,
  { app_id, days }: { app_id: string; days: number },
  maxRows: number,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    sql`select trim_request_records(${app_id}, ${days}::int, ${maxRows}::int) as count`,
  );
  return rows[0]?.count ?? 0;
}

/** A bucket that nobody took from for so long is full, as one that is not there. */
export async function deleteFullBuckets(db: Queryable): Promise<void> {
  await db.query(sql`delete from rate_buckets where at < clock_timestamp() - interval '1 day'`);
}

/** Of those that are over; their deliveries are no longer kept either. */
export async function deleteOldRedeliveries(db: Queryable, keep: string): Promise<void> {
  await db.query(sql`delete from redeliveries where finished_at < clock_timestamp() - ${keep}::interval`);
}

export async function deleteOldNotices(db: Queryable, keep: string): Promise<void> {
  await db.query(sql`delete from notices where created_at < clock_timestamp() - ${keep}::interval`);
}

interface QueuedRow {
  app_id: string;
  delivery_id: string;
}

const named = (rows: readonly QueuedRow[]): Sql =>
  sql`unnest(${rows.map((row) => row.app_id)}::uuid[], ${rows.map((row) => row.delivery_id)}::uuid[]) as n (app_id, delivery_id)`;

/**
 * Cancels deliveries of these states that are older than so many days, at most so many; how many they were. By the moment of
 * their identifiers, which a glance at the queue tells, and by that of their rows: a node's clock may have been off. Found,
 * locked and changed by statements of their own (kit/remembered-store.ts).
 */
export function cancelExpired(
  db: Database,
  { states, days, reason }: { states: readonly string[]; days: number; reason: string },
  limit: number,
): Promise<number> {
  const isInState = sql`q.state = any(${states}::text[])`;
  return db.transaction(async (tx) => {
    const expired = await tx.query<QueuedRow>(sql`
      select q.app_id, q.delivery_id from queue q
      left join lateral (
        select created_at from deliveries where app_id = q.app_id and delivery_id = q.delivery_id limit 1) d on true
      where ${isInState} and q.delivery_id < uuid_floor(clock_timestamp() - make_interval(days => ${days}::int))
        and coalesce(d.created_at < clock_timestamp() - make_interval(days => ${days}::int), true)
      limit ${limit}`);
    const locked = await tx.query<QueuedRow>(sql`
      select q.app_id, q.delivery_id from ${named(expired)}
      join queue q on q.app_id = n.app_id and q.delivery_id = n.delivery_id and ${isInState} for update of q skip locked`);
    await tx.query(sql`
      with gone as (
        delete from queue q using ${named(locked)} where q.app_id = n.app_id and q.delivery_id = n.delivery_id
        returning q.app_id, q.delivery_id)
      update deliveries d set status = 'cancelled', reason = ${reason}, finished_at = clock_timestamp()
      from gone where d.app_id = gone.app_id and d.delivery_id = gone.delivery_id`);
    return locked.length;
  });
}
