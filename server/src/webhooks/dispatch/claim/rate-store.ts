// The SQL of an endpoint's rate over all workers. The rate is a token bucket in the endpoint's row of endpoint_health.
// A claim locks that row from the check until the update. `paced_until` is when the next attempt could begin if the
// bucket were empty.
import type { Queryable } from '../../../kit/db/db.ts';
import { type Sql, sql } from '../../../kit/db/sql.ts';
import type { QueuePlan } from './queue-plan.ts';

// Depth of the bucket: attempts of a tenth of a second, at least one. In t seconds at most rate * t + depth attempts
// are claimed.
const BUCKET_DEPTH: Sql = sql`ceil(e.rate_per_second / 10.0)`;

/**
 * Ignores a wait of more than five seconds, reservations included: such a value was written before the clock was set
 * back.
 */
const PACED_UNTIL: Sql = sql`case when h.paced_until > statement_timestamp() + interval '5 seconds'
  then '-infinity' else h.paced_until end`;

/** The time since which the available tokens have accumulated. */
const TOKENS_SINCE: Sql = sql`greatest(${PACED_UNTIL},
  statement_timestamp() - (${BUCKET_DEPTH} - 1) / e.rate_per_second * interval '1 second')`;

/**
 * Milliseconds for which the queue of endpoint e with health h must wait. (Before Postgres 17, infinity cannot be
 * subtracted.)
 */
export const paceWaitMs: Sql = sql`case when e.rate_per_second is null then 0 else
  extract(epoch from greatest(${PACED_UNTIL}, statement_timestamp()) - statement_timestamp()) * 1000 end::float8`;

export interface RateRoom {
  endpoint_id: string;
  room: number;
}

/**
 * Locks the queues' rates and returns how many attempts each allows now. Skips a queue that another worker is claiming.
 */
export function lockRates(tx: Queryable, queues: readonly QueuePlan[]): Promise<RateRoom[]> {
  return tx.query(sql`
    select h.endpoint_id,
      greatest(0, floor(extract(epoch from statement_timestamp() - ${TOKENS_SINCE}) * e.rate_per_second) + 1)::int as room
    from unnest(${queues.map((queue) => queue.appId)}::uuid[], ${queues.map((queue) => queue.endpointId)}::uuid[])
      as queue (app_id, endpoint_id)
    join endpoint_health h on h.app_id = queue.app_id and h.endpoint_id = queue.endpoint_id
    join endpoints e on e.app_id = h.app_id and e.endpoint_id = h.endpoint_id
    where e.rate_per_second is not null
    order by h.endpoint_id for update of h skip locked`);
}

/** Takes tokens for the attempts that begin now. */
export async function spendTokens(
  tx: Queryable,
  begun: readonly { appId: string; endpointId: string; count: number }[],
): Promise<void> {
  await tx.query(sql`
    update endpoint_health h set paced_until = ${TOKENS_SINCE} + b.count / e.rate_per_second::float8 * interval '1 second'
    from unnest(${begun.map((one) => one.appId)}::uuid[], ${begun.map((one) => one.endpointId)}::uuid[],
        ${begun.map((one) => one.count)}::int[]) as b (app_id, endpoint_id, count)
      join endpoints e on e.app_id = b.app_id and e.endpoint_id = b.endpoint_id
    where h.app_id = b.app_id and h.endpoint_id = b.endpoint_id`);
}

/**
 * Takes the next token of an endpoint's bucket, even if it is not available yet. Returns the milliseconds to wait for
 * it; 0 if the endpoint has no rate.
 */
export async function reserveToken(db: Queryable, appId: string, endpointId: string): Promise<number> {
  const rows = await db.query<{ wait_ms: number }>(sql`
    update endpoint_health h set paced_until = ${TOKENS_SINCE} + interval '1 second' / e.rate_per_second
    from endpoints e
    where h.app_id = ${appId} and h.endpoint_id = ${endpointId} and e.app_id = h.app_id and e.endpoint_id = h.endpoint_id
      and e.rate_per_second is not null
    returning (extract(epoch from h.paced_until - interval '1 second' / e.rate_per_second - statement_timestamp())
      * 1000)::float8 as wait_ms`);
  return Math.max(0, rows[0]?.wait_ms ?? 0);
}
