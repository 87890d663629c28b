// The SQL of searching among request records: a look at a bounded number of candidates, by the index that leads to them.

import type { Tenant, TenantTransaction } from '../../access/authority/index.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { Range, RequestFilter } from './filter.ts';
import type { Partition, Way } from './search-plan.ts';
import { conditionsOf } from './store.ts';

const planned = (tenant: TenantTransaction, mode: string): void =>
  tenant.send(sql`select set_config('plan_cache_mode', ${mode}, true), set_config('enable_seqscan', 'off', true)`);

/**
 * For the rest of the transaction: each statement is planned for its values, which say which partitions it touches, and by an
 * index, because what Postgres knows of a partition that is being written is old.
 */
export const planByValues = (tenant: TenantTransaction): void => planned(tenant, 'force_custom_plan');

/**
 * The same, but planned once on a connection, for all partitions: which of them are touched is found when it runs. That takes a
 * fifth of the time, where there are not so many that their locks are too many, and one index is right for all values.
 */
export const planOnce = (tenant: TenantTransaction): void => planned(tenant, 'force_generic_plan');

/** Newest first. */
export function listPartitions(tenant: Tenant): Promise<Partition[]> {
  return tenant.query(sql`select lower_bound as "from", upper_bound as before, is_sealed as "isSealed"
    from partition_bounds('request_records') order by lower_bound desc`);
}

export interface Look {
  /** How many candidates there were, at most `size`. */
  looked: number;
  /** The oldest of them; null when there was none. */
  reached: string | null;
  /** Those that fit, newest first, at most `wanted`. */
  found: string[];
}

export async function lookAt(
  tenant: Tenant,
  filter: RequestFilter,
  way: Way,
  range: Range,
  { size, wanted }: { size: number; wanted: number },
): Promise<Look> {
  const rows = await tenant.query<Look>(sql`
    with looked as materialized (
      select request_id, ${conditionsOf(filter)} as fits from ${candidates(tenant, way, range, size)})
    select (select count(*)::int from looked) as looked,
      (select request_id from looked order by request_id limit 1) as reached,
      array(select request_id from looked where fits order by request_id desc limit ${wanted}) as found`);
  return rows[0] as Look; // there is always one
}

/** The newest in the range to which a way leads, with all that is kept of each. */
export function candidates(tenant: Tenant, way: Way, range: Range, size: number): Sql {
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
      // Each status has its own order in the index: the newest of each, and of those the newest.
      return sql`unnest(${way.statuses}::smallint[]) as one (of_status) cross join lateral (
        select * from request_records where ${within} and status >= 400 and status = of_status ${newest}) r ${newest}`;
    case 'slowOrSimulated':
      return sql`request_records where ${within} and (simulated is not null or duration_us >= 1000000) ${newest}`;
    case 'ids':
      return sql`request_records where app_id = ${tenant.appId} and request_id = any(${way.requestIds}::uuid[]) ${newest}`;
  }
}

/** The newest in the range that have these facets, newest first; only of sealed days. */
export async function findFaceted(
  tenant: Tenant,
  facets: readonly string[],
  range: Range,
  size: number,
): Promise<string[]> {
  const rows = await tenant.query<{ id: string }>(
    sql`select id from find_faceted_requests(${facets}::text[], ${range.from}, ${range.before}, ${size}::int) as id`,
  );
  return rows.map(({ id }) => id);
}
