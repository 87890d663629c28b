// Queries for monitoring: the age of the oldest due delivery, and the number of workers.
import type { Queryable } from '../../../kit/db/db.ts';
import { sql } from '../../../kit/db/sql.ts';

/**
 * Returns the seconds since the oldest due delivery became due; undefined if none is due. A loose index scan needs one
 * descent of the index per endpoint, however long the backlogs are.
 */
export async function findQueueAge(db: Queryable): Promise<number | undefined> {
  const rows = await db.query<{ seconds: number | null }>(sql`
    with recursive queues as (
      (select endpoint_id, due_at from queue where state = 'waiting' order by endpoint_id, due_at limit 1)
      union all
      select next.* from queues cross join lateral (
        select endpoint_id, due_at from queue where state = 'waiting' and endpoint_id > queues.endpoint_id
        order by endpoint_id, due_at limit 1) next)
    select extract(epoch from statement_timestamp() - min(due_at))::float8 as seconds
    from queues where due_at <= statement_timestamp()`);
  return rows[0]?.seconds ?? undefined;
}

/** Returns the number of workers with a heartbeat in the last five seconds. */
export async function countWorkers(db: Queryable): Promise<number> {
  const rows = await db.query<{ workers: number }>(sql`
    select count(*)::int as workers from workers where beat_at > clock_timestamp() - interval '5 seconds'`);
  return rows[0]?.workers ?? 0;
}
