// The SQL of a search: reads a bounded number of candidates by the index that leads to them.

import type { Tenant, TenantTransaction } from '../../access/authority/index.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { IdRange, RequestFilter } from './request-filter.ts';
import type { RecordPartition, SearchIndex } from './search-plan.ts';
import { conditionsOf } from './store.ts';

const setPlanMode = (tenant: TenantTransaction, mode: string): void =>
  tenant.send(sql`select set_config('plan_cache_mode', ${mode}, true), set_config('enable_seqscan', 'off', true)`);

/**
 * Plans each statement for its values for the rest of the transaction. The values determine which partitions it
 * touches. It uses an index, because the statistics of a partition that is being written are old.
 */
export const planByValues = (tenant: TenantTransaction): void => setPlanMode(tenant, 'force_custom_plan');

/**
 * Plans each statement once per connection for all partitions, and finds the touched partitions at run time. This takes
 * a fifth of the time. It requires few enough partitions to lock, and one index that is right for all values.
 */
export const planOnce = (tenant: TenantTransaction): void => setPlanMode(tenant, 'force_generic_plan');

/** Returns the partitions, newest first. */
export function listPartitions(tenant: Tenant): Promise<RecordPartition[]> {
  return tenant.query(sql`select lower_bound as "from", upper_bound as before, is_sealed as "isCompacted"
    from partition_bounds('request_records') order by lower_bound desc`);
}

interface ScanResult {
  /** The number of candidates, at most `size`. */
  examined: number;
  /** The oldest candidate; null without any. */
  reached: string | null;
  /** The identifiers of those that match, newest first, at most `wanted`. */
  found: string[];
}

export async function scanCandidates(
  tenant: Tenant,
  filter: RequestFilter,
  way: SearchIndex,
  range: IdRange,
  { size, wanted }: { size: number; wanted: number },
): Promise<ScanResult> {
  const rows = await tenant.query<ScanResult>(sql`
    with examined as materialized (
      select request_id, ${conditionsOf(filter)} as fits from ${candidates(tenant, way, range, size)})
    select (select count(*)::int from examined) as examined,
      (select request_id from examined order by request_id limit 1) as reached,
      array(select request_id from examined where fits order by request_id desc limit ${wanted}) as found`);
  return rows[0] as ScanResult; // always one row
}

/** Returns the newest candidates in the range that an index leads to, with all columns. */
export function candidates(tenant: Tenant, way: SearchIndex, range: IdRange, size: number): Sql {
  const within = sql`app_id = ${tenant.appId} and request_id >= ${range.from} and request_id < ${range.before}`;
  const newest = sql`order by request_id desc limit ${size}`;
  switch (way.by) {
    case 'app':
      return sql`request_records where ${within} ${newest}`;
    case 'key':
      return sql`request_records where ${within} and key_id = ${way.keyId} ${newest}`;
    case 'server':
      return sql`request_records where ${within} and server_id = ${way.serverId} ${newest}`;
    case 'trace':
      return sql`request_records where ${within} and trace_id = ${way.traceId} ${newest}`;
    case 'statuses':
      // The index orders each status separately: take the newest of each status, then the newest of those.
      return sql`unnest(${way.statuses}::smallint[]) as one (of_status) cross join lateral (
        select * from request_records where ${within} and status >= 400 and status = of_status ${newest}) r ${newest}`;
    case 'slowOrSimulated':
      return sql`request_records where ${within} and (simulated is not null or duration_us >= 1000000) ${newest}`;
    case 'ids':
      return sql`request_records where app_id = ${tenant.appId} and request_id = any(${way.requestIds}::uuid[]) ${newest}`;
  }
}

/**
 * Returns the newest requests in the range that have these facets, newest first. Finds requests of compacted days only.
 */
export async function findFaceted(
  tenant: Tenant,
  facets: readonly string[],
  range: IdRange,
  size: number,
): Promise<string[]> {
  const rows = await tenant.query<{ id: string }>(
    sql`select id from find_faceted_requests(${facets}::text[], ${range.from}, ${range.before}, ${size}::int) as id`,
  );
  return rows.map(({ id }) => id);
}
