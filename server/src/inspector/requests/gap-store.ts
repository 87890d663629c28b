// The SQL of gaps: records that could not be kept, and how far records go back.

import type { Tenant } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { StoredGapRow } from './record-gap.ts';

export interface GapRow {
  appId: string;
  /** An RFC 3339 timestamp. */
  minute: string;
  lost: number;
}

/** Adds gaps, sorted, so that two nodes cannot deadlock. */
export async function addGaps(db: Queryable, gaps: readonly GapRow[]): Promise<void> {
  await db.query(sql`
    insert into record_gaps as g (app_id, minute, lost)
    select app_id, minute, lost
    from unnest(${gaps.map((gap) => gap.appId)}::uuid[], ${gaps.map((gap) => gap.minute)}::timestamptz[],
      ${gaps.map((gap) => gap.lost)}::bigint[]) as n (app_id, minute, lost)
    order by app_id, minute
    on conflict (app_id, minute) do update set lost = g.lost + excluded.lost`);
}

/** Returns the newest gaps first. Each row also has the total number of lost records. */
export function listGapRows(tenant: Tenant, limit: number): Promise<StoredGapRow[]> {
  return tenant.query(sql`
    select minute, lost::float8 as lost, sum(lost) over ()::float8 as total
    from record_gaps where app_id = ${tenant.appId} order by minute desc limit ${limit}`);
}

/** Returns the number of records that were lost from a minute on. */
export async function countLostRecords(tenant: Tenant, since: Date): Promise<number> {
  const row = await tenant.first<{ lost: number }>(sql`
    select coalesce(sum(lost), 0)::float8 as lost from record_gaps
    where app_id = ${tenant.appId} and minute >= date_trunc('minute', ${since}::timestamptz)`);
  return row?.lost ?? 0;
}

/** Returns the oldest stored request from an id on; undefined without any. */
export async function findOldestRequest(tenant: Tenant, from: string): Promise<string | undefined> {
  const row = await tenant.first<{ request_id: string }>(sql`
    select request_id from request_records where app_id = ${tenant.appId} and request_id >= ${from}
    order by request_id limit 1`);
  return row?.request_id;
}

interface StoredPeriodRow {
  /** The lowest id in the oldest partition; null without a partition. */
  oldest_partition: string | null;
  /** The days for which the organisation keeps requests; null if as long as the installation. */
  request_days: number | null;
}

/**
 * Returns how far the records of the app go back. Retention drops older partitions. The setting of the retention is
 * known to workers only.
 */
export async function findStoredPeriod(tenant: Tenant): Promise<StoredPeriodRow> {
  const rows = await tenant.query<StoredPeriodRow>(sql`
    select (select lower_bound from partition_bounds('request_records') order by lower_bound limit 1) as oldest_partition,
      max_request_days as request_days
    from apps left join organisations using (organisation_id) where app_id = ${tenant.appId}`);
  return rows[0] as StoredPeriodRow; // the tenant's app exists
}
