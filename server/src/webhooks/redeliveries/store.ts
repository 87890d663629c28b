// The SQL of redelivery jobs: for the operations of members and for the worker that runs them.

import type { Tenant } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { OutcomeRow, RedeliveryRow, RedeliveryState } from './redelivery.ts';
import type { RedeliveryFilter, RedeliveryPosition } from './redelivery-filter.ts';

const COLUMNS: Sql = sql`redelivery_id, state, endpoint_id, event_type, statuses, reason, since, until, rate_per_second,
  total, is_total_exact, done, skipped, created_by, created_at, finished_by, finished_at`;

/**
 * Returns the next millisecond of the clock that dates the ends of deliveries. A job matches deliveries that ended
 * before it.
 */
export async function readClock(tenant: Tenant): Promise<Date> {
  const rows = await tenant.query<{ now: Date }>(
    sql`select date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' as now from apps where app_id = ${tenant.appId}`,
  );
  return rows[0]?.now as Date; // the caller is inside the app, so its row exists
}

export function listRedeliveryRows(tenant: Tenant, after: string | undefined, limit: number): Promise<RedeliveryRow[]> {
  const beyond = after === undefined ? sql`` : sql`and redelivery_id < ${after}`;
  return tenant.query(sql`select ${COLUMNS} from redeliveries
    where app_id = ${tenant.appId} ${beyond} order by redelivery_id desc limit ${limit}`);
}

export function findRedeliveryRow(tenant: Tenant, redeliveryId: string): Promise<RedeliveryRow | undefined> {
  return tenant.first(
    sql`select ${COLUMNS} from redeliveries where app_id = ${tenant.appId} and redelivery_id = ${redeliveryId}`,
  );
}

/** Returns the job, locked until the transaction ends, so that it excludes a worker's run. */
export function lockRedelivery(tenant: Tenant, redeliveryId: string): Promise<RedeliveryRow | undefined> {
  return tenant.first(sql`select ${COLUMNS} from redeliveries
    where app_id = ${tenant.appId} and redelivery_id = ${redeliveryId} for update`);
}

/** Counts by status and reason the next `size` deliveries of a job after `after`, in the order of their ids. */
export function countOutcomes(
  tenant: Tenant,
  redeliveryId: string,
  after: string,
  size: number,
): Promise<(OutcomeRow & { last: string })[]> {
  return tenant.query(sql`
    select status, reason, count(*)::int as count, max(delivery_id::text collate "C") as last
    from (select delivery_id, status, reason from deliveries
      where app_id = ${tenant.appId} and redelivery_id = ${redeliveryId} and delivery_id > ${after}
      order by delivery_id limit ${size}) examined
    group by status, reason`);
}

/**
 * Counts running and paused jobs. Locks the app's row until the transaction ends, so concurrent requests cannot exceed
 * the limit.
 */
export async function countActive(tenant: Tenant): Promise<number> {
  await tenant.query(sql`select from apps where app_id = ${tenant.appId} for no key update`);
  const rows = await tenant.query<{ count: number }>(sql`select count(*)::int as count from redeliveries
    where app_id = ${tenant.appId} and state in ('running', 'paused')`);
  return rows[0]?.count ?? 0;
}

interface NewRedeliveryRow extends RedeliveryFilter, RedeliveryPosition {
  rate_per_second: number;
  total: number;
  is_total_exact: boolean;
  created_by: string;
  created_at: Date;
}

/**
 * Inserts a job that is due at `created_at`. The job matches only deliveries that ended before then, so never its own.
 */
export async function insertRedelivery(tenant: Tenant, job: NewRedeliveryRow): Promise<RedeliveryRow> {
  const rows = await tenant.query<RedeliveryRow>(sql`
    insert into redeliveries (app_id, redelivery_id, endpoint_id, event_type, statuses, reason, since, until,
      rate_per_second, total, is_total_exact, after_event_id, after_delivery_id, created_by, created_at,
      due_at)
    values (${tenant.appId}, ${newUuid()}, ${job.endpoint_id}, ${job.event_type}, ${job.statuses}::text[], ${job.reason},
      ${job.since}, ${job.until}, ${job.rate_per_second}, ${job.total}, ${job.is_total_exact}, ${job.after_event_id},
      ${job.after_delivery_id}, ${job.created_by}, ${job.created_at}, ${job.created_at})
    returning ${COLUMNS}`);
  return rows[0] as RedeliveryRow; // an insert without a conflict clause returns its row or throws
}

interface RedeliveryUpdate {
  state: RedeliveryState;
  ratePerSecond: number;
  by: string;
}

/** Changes state and rate. A cancelled job becomes due, because its waiting deliveries must be cancelled. */
export function updateRedeliveryRow(
  tenant: Tenant,
  redeliveryId: string,
  { state, ratePerSecond, by }: RedeliveryUpdate,
): Promise<RedeliveryRow | undefined> {
  return tenant.first(sql`
    update redeliveries set state = ${state}, rate_per_second = ${ratePerSecond},
      due_at = case ${state} when 'paused' then null when 'cancelled' then clock_timestamp()
        else coalesce(due_at, clock_timestamp()) end,
      finished_by = case when ${state} = 'cancelled' then ${by} end,
      finished_at = case when ${state} = 'cancelled' then clock_timestamp() end
    where app_id = ${tenant.appId} and redelivery_id = ${redeliveryId} returning ${COLUMNS}`);
}

interface DueRedelivery {
  app_id: string;
  organisation_id: string;
  redelivery_id: string;
}

/** Returns the due jobs, longest overdue first. Jobs of an app that is not active are due only to be cancelled. */
export function listDueRedeliveries(worker: Queryable, limit: number): Promise<DueRedelivery[]> {
  return worker.query(sql`select r.app_id, a.organisation_id, r.redelivery_id from redeliveries r join apps a using (app_id)
    where r.due_at <= clock_timestamp() and (a.standing = 'active' or r.state = 'cancelled')
    order by r.due_at limit ${limit}`);
}

/** A job with the data that a worker's run needs. */
export interface RedeliveryRun extends RedeliveryRow, RedeliveryPosition {
  /** Number of its deliveries that wait for their first attempt; at most `most`. */
  waiting: number;
}

/** Returns the job, locked until the transaction ends, if it is still due and no other worker has locked it. */
export function lockDueRedelivery(
  tenant: Tenant,
  redeliveryId: string,
  most: number,
): Promise<RedeliveryRun | undefined> {
  return tenant.first(sql`
    select ${COLUMNS}, after_event_id, after_delivery_id,
      (select count(*)::int from (select from queue where app_id = ${tenant.appId} and redelivery_id = ${redeliveryId}
        and state = 'waiting' and attempt_no = 0 limit ${most}) waiting) as waiting
    from redeliveries where app_id = ${tenant.appId} and redelivery_id = ${redeliveryId} and due_at <= clock_timestamp()
    for update skip locked`);
}

interface RedeliveryProgress extends RedeliveryPosition {
  redelivered: number;
  skipped: number;
  /** True if no matching delivery is left. */
  isOver: boolean;
  inMs: number;
}

/**
 * Records the progress. A delay of more than a second behind the rate is dropped, so no burst follows after workers
 * were down.
 */
export async function updateProgress(
  tenant: Tenant,
  redeliveryId: string,
  progress: RedeliveryProgress,
): Promise<void> {
  const { redelivered, skipped, isOver, inMs } = progress;
  await tenant.query(sql`
    update redeliveries set done = done + ${redelivered}, skipped = skipped + ${skipped}, total = greatest(total, done + ${redelivered}),
      after_event_id = ${progress.after_event_id}, after_delivery_id = ${progress.after_delivery_id},
      state = case when ${isOver} then 'finished' else state end,
      finished_at = case when ${isOver} then clock_timestamp() end,
      due_at = case when not ${isOver} then
        greatest(due_at + ${inMs}::float8 * interval '1 ms', clock_timestamp() - interval '1 second') end
    where app_id = ${tenant.appId} and redelivery_id = ${redeliveryId}`);
}

/** Makes the job due in `inMs` milliseconds; null means never. */
export async function postponeRedelivery(tenant: Tenant, redeliveryId: string, inMs: number | null): Promise<void> {
  await tenant.query(sql`update redeliveries set due_at = clock_timestamp() + ${inMs}::float8 * interval '1 ms'
    where app_id = ${tenant.appId} and redelivery_id = ${redeliveryId} and due_at <= clock_timestamp()`);
}
