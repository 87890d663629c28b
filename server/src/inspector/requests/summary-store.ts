// The SQL of request summaries: groups of requests that ended in a problem, and counts per bucket.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import { CLIENT_CLOSED_REQUEST } from '../../kit/http/aborted-body.ts';
import { STEPS_PER_E } from './durations.ts';
import { type IdRange, NO_OPERATION, type RequestFilter } from './request-filter.ts';
import type { BucketRow, GroupRow } from './request-summary.ts';
import type { SearchIndex } from './search-plan.ts';
import { candidates } from './search-store.ts';
import { conditionsOf } from './store.ts';

export interface ProblemGroups {
  examined: number;
  /** The oldest record that was read; null without any. */
  reached: string | null;
  groups: GroupRow[];
}

/**
 * Groups the newest `size` requests that have an error and returns the largest groups. Postgres reads them by the index
 * of errors, or in order of time if most are errors.
 */
export async function groupProblems(
  tenant: Tenant,
  filter: RequestFilter,
  { size, most }: { size: number; most: number },
): Promise<ProblemGroups> {
  const { from, before } = filter.range;
  const examined = sql`examined as materialized (
    select request_id, at, problem_code, operation_id, ${conditionsOf(filter)} as fits from request_records
    where app_id = ${tenant.appId} and request_id >= ${from} and request_id < ${before} and status >= 400
    order by request_id desc limit ${size})`;
  const rows = await tenant.query<ProblemGroups>(sql`
    with ${examined}, grouped as (
      select problem_code, operation_id, count(*)::int as count, min(at) as first_at, max(at) as last_at,
        max(request_id::text) as sample_id
      from examined where fits and problem_code is not null group by problem_code, operation_id
      order by count desc, problem_code, operation_id limit ${most})
    select (select count(*)::int from examined) as examined, (select request_id from examined order by request_id limit 1) as reached,
      coalesce((select json_agg(grouped) from grouped), '[]') as groups`);
  return rows[0] as ProblemGroups; // always one row
}

interface BucketCounts {
  examined: number;
  reached: string | null;
  /** The buckets that are not empty. */
  buckets: BucketRow[];
}

/**
 * Counts the newest `size` requests between each two bounds, and their durations. The bounds are identifiers in
 * ascending order.
 */
export async function countBuckets(
  tenant: Tenant,
  filter: RequestFilter,
  way: SearchIndex,
  bounds: readonly string[],
  size: number,
): Promise<BucketCounts> {
  const rows = await tenant.query<BucketCounts>(sql`
    with examined as materialized (
      select request_id, status, duration_us, ${conditionsOf(filter)} as fits
      from ${candidates(tenant, way, filter.range, size)}),
    stepped as (
      select width_bucket(request_id, ${bounds}::uuid[]) as bucket,
        floor(ln(greatest(duration_us, 1)::float8) * ${STEPS_PER_E}::float8)::int as step, count(*) as count,
        count(*) filter (where status >= 400 and status <> ${CLIENT_CLOSED_REQUEST}) as errors,
        count(*) filter (where status >= 500) as server_errors,
        count(*) filter (where status is null or status = ${CLIENT_CLOSED_REQUEST}) as unanswered
      from examined where fits group by 1, 2),
    counted as (
      select bucket, sum(count)::int as count, sum(errors)::int as errors, sum(server_errors)::int as server_errors,
        sum(unanswered)::int as unanswered, json_object_agg(step, count) as steps
      from stepped group by bucket)
    select (select count(*)::int from examined) as examined, (select request_id from examined order by request_id limit 1) as reached,
      coalesce((select json_agg(counted order by bucket) from counted), '[]') as buckets`);
  return rows[0] as BucketCounts; // always one row
}

export const MAX_VALUES = 200;

interface RequestValuesRow {
  examined: number;
  reached: string | null;
  statuses: number[];
  codes: string[];
  operations: string[];
  methods: string[];
  keys: string[];
  servers: string[];
}

/** Returns the distinct values of the newest `size` requests in the range. */
export async function findValues(tenant: Tenant, range: IdRange, size: number): Promise<RequestValuesRow> {
  const rows = await tenant.query<RequestValuesRow>(sql`
    with examined as materialized (
      select request_id, status, problem_code, coalesce(operation_id, ${NO_OPERATION}) as operation_id, method, key_id, server_id
      from ${candidates(tenant, { by: 'app' }, range, size)})
    select (select count(*)::int from examined) as examined, (select request_id from examined order by request_id limit 1) as reached,
      array(select distinct status::int as one from examined where status is not null order by one limit ${MAX_VALUES}) as statuses,
      array(select distinct problem_code as one from examined where problem_code is not null order by one limit ${MAX_VALUES}) as codes,
      array(select distinct operation_id as one from examined order by one limit ${MAX_VALUES}) as operations,
      array(select distinct method as one from examined order by one limit ${MAX_VALUES}) as methods,
      array(select distinct key_id as one from examined where key_id is not null order by one limit ${MAX_VALUES}) as keys,
      array(select distinct server_id as one from examined where server_id is not null order by one limit ${MAX_VALUES}) as servers`);
  return rows[0] as RequestValuesRow; // always one row
}
