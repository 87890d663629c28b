// The SQL of the histogram of an endpoint's attempts.

import type { Tenant } from '../../access/authority/index.ts';
import { firstUuidAt } from '../../kit/crypto/ids.ts';
import { sql } from '../../kit/db/sql.ts';
import { formatTime, splitTimeSpan, type TimeSpan } from '../../kit/text/time-span.ts';
import { SLIPWAY_OUTCOMES } from './attempt.ts';
import type { AttemptCounts } from './attempt-histogram.ts';

/**
 * Milliseconds of tolerance: a delivery ends by the database's clock, and its attempt begins by the clock of a worker.
 */
const MAX_CLOCK_SKEW_MS = 60_000;

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
): Promise<AttemptCounts> {
  const since = formatTime(span.sinceMs);
  const bounds = splitTimeSpan(span, buckets).map(formatTime);
  const rows = await tenant.query<AttemptCounts>(sql`
    with examined as materialized (
      select delivery_id, finished_at from deliveries
      where app_id = ${tenant.appId} and endpoint_id = ${endpointId}
        and delivery_id < ${firstUuidAt(span.untilMs)}
      order by delivery_id desc limit ${size}),
    counted as (
      select width_bucket(a.started_at, ${bounds}::timestamptz[]) as bucket,
        count(*) filter (where a.is_success)::int as succeeded, count(*) filter (where not a.is_success)::int as failed
      from examined d cross join lateral (
        select started_at, outcome = 'response' and status between 200 and 299 as is_success from attempts
        where app_id = ${tenant.appId} and delivery_id = d.delivery_id
          and started_at >= ${since}::timestamptz and started_at < ${formatTime(span.untilMs)}::timestamptz
          and outcome <> all(${[...SLIPWAY_OUTCOMES]}::text[])
        offset 0) a
      where d.finished_at is null or d.finished_at >= ${formatTime(span.sinceMs - MAX_CLOCK_SKEW_MS)}::timestamptz
      group by 1)
    select (select count(*)::int from examined) as examined, (select delivery_id from examined order by delivery_id limit 1) as reached,
      coalesce((select json_agg(counted order by bucket) from counted), '[]') as buckets`);
  return rows[0] as AttemptCounts; // the statement always returns one row
}
