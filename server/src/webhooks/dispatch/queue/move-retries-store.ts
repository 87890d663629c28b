// The SQL that moves waiting retries from an earlier schedule of their endpoint to the current one. Run as
// slipway_worker.
import type { Queryable } from '../../../kit/db/db.ts';
import { sql } from '../../../kit/db/sql.ts';
import type { AttemptOutcome } from '../../webhooks/index.ts';

export interface ChangedScheduleRow {
  app_id: string;
  endpoint_id: string;
  schedule_speed: number;
  changed_at: string;
}

export function listChangedSchedules(db: Queryable, limit: number): Promise<ChangedScheduleRow[]> {
  return db.query(sql`select app_id, endpoint_id, schedule_speed, schedule_changed_at::text as changed_at from endpoints
    where schedule_changed_at is not null order by schedule_changed_at limit ${limit}`);
}

export interface WaitingRetryRow {
  delivery_id: string;
  attempt_no: number;
  /** Text, because the next page needs the microseconds. */
  due_at: string;
  due_ms: number;
  /** Null if no attempt is recorded. */
  ended_ms: number | null;
  outcome: AttemptOutcome | null;
  status: number | null;
  retry_after: string | null;
}

/** The end of a page, in the order of the queue's index. */
export type RetryPosition = Pick<WaitingRetryRow, 'due_at' | 'delivery_id'>;

/** Returns the next retries of an endpoint that are not due yet, with the end of their last attempt. */
export function listWaitingRetries(
  db: Queryable,
  { app_id, endpoint_id }: ChangedScheduleRow,
  after: RetryPosition | undefined,
  limit: number,
): Promise<WaitingRetryRow[]> {
  return db.query(sql`
    select q.delivery_id, q.attempt_no, q.due_at::text as due_at,
      (extract(epoch from q.due_at) * 1000)::float8 as due_ms,
      (extract(epoch from last.started_at) * 1000 + last.duration_us / 1000.0)::float8 as ended_ms,
      last.outcome, last.status, last.response_headers->>'retry-after' as retry_after
    from (
      select app_id, delivery_id, attempt_no, due_at from queue
      where endpoint_id = ${endpoint_id} and state = 'waiting' and due_at < 'infinity'
        and (due_at, delivery_id) > (coalesce(${after?.due_at ?? null}::timestamptz, statement_timestamp()),
          coalesce(${after?.delivery_id ?? null}::uuid, '00000000-0000-0000-0000-000000000000'))
      order by due_at, delivery_id limit ${limit}) q
    left join lateral (
      select started_at, duration_us, outcome, status, response_headers from attempts
      where app_id = ${app_id} and delivery_id = q.delivery_id and attempt_no = q.attempt_no limit 1) last on true
    order by q.due_at, q.delivery_id`);
}

export interface MovedRetry {
  deliveryId: string;
  attemptNo: number;
  dueMs: number;
}

/** Moves retries. Skips a delivery that another transaction holds, because that claim sends it. */
export async function moveRetries(db: Queryable, appId: string, moved: readonly MovedRetry[]): Promise<void> {
  await db.query(sql`
    with free as (
      select q.delivery_id, m.due_ms from unnest(${moved.map((one) => one.deliveryId)}::uuid[],
        ${moved.map((one) => one.attemptNo)}::int[], ${moved.map((one) => one.dueMs)}::float8[]) as m (delivery_id, attempt_no, due_ms)
      cross join lateral (
        select delivery_id from queue
        where app_id = ${appId} and delivery_id = m.delivery_id and state = 'waiting' and attempt_no = m.attempt_no
        limit 1 for update skip locked) q)
    update queue q set due_at = to_timestamp(free.due_ms / 1000) from free
    where q.app_id = ${appId} and q.delivery_id = free.delivery_id`);
}

/** Marks the change as applied, unless the schedule was changed again meanwhile. */
export async function endChangedSchedule(db: Queryable, row: ChangedScheduleRow, afterS: number): Promise<void> {
  await db.query(sql`update endpoints set schedule_changed_at = null
    where app_id = ${row.app_id} and endpoint_id = ${row.endpoint_id} and schedule_changed_at = ${row.changed_at}::timestamptz
      and schedule_changed_at < clock_timestamp() - make_interval(secs => ${afterS})`);
}
