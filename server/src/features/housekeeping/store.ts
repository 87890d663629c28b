// The SQL of housekeeping.
import type { Queryable } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';

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
}

/** As long as the records of requests, which show it too, are kept. */
export async function forgetClientAddresses(db: Queryable, keep: string): Promise<void> {
  await db.query(sql`update key_uses set client_address = null
    where client_address is not null and last_used_at < clock_timestamp() - ${keep}::interval`);
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
