// The SQL of the histogram of an endpoint's attempts.

import type { Tenant } from '../../access/authority/index.ts';
import { firstUuidAt } from '../../kit/crypto/ids.ts';
import { sql } from '../../kit/db/sql.ts';
import { momentAt, partsOf, type TimeSpan } from '../../kit/text/time-span.ts';
import { OWN_OUTCOMES } from './attempt.ts';
import type { CountedAttempts } from './attempt-histogram.ts';

/**
 * Milliseconds of tolerance: a delivery ends by the database's clock, and its attempt begins by the clock of a worker.
 */
const CLOCKS_APART_MS = 60_000;

/**
 * Counts attempts of the endpoint's newest `size` deliveries. A delivery that ended before the period has no attempt in
 * it. The attempts are looked up per delivery (`offset 0` enforces this), because a join could read those of the app's
 * other endpoints.
 */
export async function countAttempts(
  tenant: Tenant,
  endpointId: string,
  span: TimeSpan,
  { buckets, size }: { buckets: number; size: number },
): Promise<CountedAttempts> {
  const since = momentAt(span.sinceMs);
  const bounds = partsOf(span, buckets).map(momentAt);
  const rows = await tenant.query<CountedAttempts>(sql`
    with looked as materialized (
      select delivery_id, finished_at from deliveries
      where app_id = ${tenant.appId} and endpoint_id = ${endpointId}
        and delivery_id < ${firstUuidAt(span.untilMs)}
      order by delivery_id desc limit ${size}),
    counted as (
      select width_bucket(a.started_at, ${bounds}::timestamptz[]) as bucket,
        count(*) filter (where a.is_success)::int as succeeded, count(*) filter (where not a.is_success)::int as failed
      from looked d cross join lateral (
        select started_at, outcome = 'response' and status between 200 and 299 as is_success from attempts
        where app_id = ${tenant.appId} and delivery_id = d.delivery_id
          and started_at >= ${since}::timestamptz and started_at < ${momentAt(span.untilMs)}::timestamptz
          and outcome <> all(${[...OWN_OUTCOMES]}::text[])
        offset 0) a
      where d.finished_at is null or d.finished_at >= ${momentAt(span.sinceMs - CLOCKS_APART_MS)}::timestamptz
      group by 1)
    select (select count(*)::int from looked) as looked, (select delivery_id from looked order by delivery_id limit 1) as reached,
      coalesce((select json_agg(counted order by bucket) from counted), '[]') as buckets`);
  return rows[0] as CountedAttempts; // the statement always returns one row
}
