// The SQL of drills: for the operations of members and for the worker that runs them.

import type { Tenant } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { Drill, DrillRow, StoredDrillStep } from './drill.ts';

const COLUMNS = sql`drill_id, endpoint_id, status, reason, steps, created_by, created_at, finished_at`;

export function listDrillRows(
  tenant: Tenant,
  endpointId: string,
  after: string | undefined,
  limit: number,
): Promise<DrillRow[]> {
  const beyond = after === undefined ? sql`` : sql`and drill_id < ${after}`;
  return tenant.query(sql`select ${COLUMNS} from drills
    where app_id = ${tenant.appId} and endpoint_id = ${endpointId} ${beyond} order by drill_id desc limit ${limit}`);
}

export function findDrillRow(tenant: Tenant, drillId: string): Promise<DrillRow | undefined> {
  return tenant.first(sql`select ${COLUMNS} from drills where app_id = ${tenant.appId} and drill_id = ${drillId}`);
}

/**
 * Returns the endpoints that the app is drilling. Locks the app's row until the transaction ends, so concurrent
 * requests cannot exceed the limit.
 */
export async function listDrilledEndpoints(tenant: Tenant): Promise<string[]> {
  await tenant.query(sql`select from apps where app_id = ${tenant.appId} for no key update`);
  const rows = await tenant.query<{ endpoint_id: string }>(
    sql`select endpoint_id from drills where app_id = ${tenant.appId} and status = 'running'`,
  );
  return rows.map((row) => row.endpoint_id);
}

export async function insertDrill(
  tenant: Tenant,
  drill: { drillId: string; endpointId: string; steps: readonly StoredDrillStep[]; createdBy: string },
): Promise<DrillRow> {
  const rows = await tenant.query<DrillRow>(sql`
    insert into drills (app_id, drill_id, endpoint_id, steps, created_by)
    values (${tenant.appId}, ${drill.drillId}, ${drill.endpointId}, ${JSON.stringify(drill.steps)}::jsonb,
      ${drill.createdBy})
    returning ${COLUMNS}`);
  return rows[0] as DrillRow; // an insert without a conflict clause returns its row or throws
}

/** Deletes all drills of an endpoint except the newest `kept`. */
export async function deleteOldDrills(tenant: Tenant, endpointId: string, kept: number): Promise<void> {
  await tenant.query(sql`delete from drills where app_id = ${tenant.appId} and drill_id in (
    select drill_id from drills where app_id = ${tenant.appId} and endpoint_id = ${endpointId}
    order by drill_id desc offset ${kept})`);
}

export interface ClaimedDrill {
  app_id: string;
  drill_id: string;
  endpoint_id: string;
  steps: StoredDrillStep[];
  claim_no: number;
}

/** Claims running drills that no worker has, or whose worker has saved no step for the duration of its claim. */
export function claimDrills(worker: Queryable, limit: number, forMs: number): Promise<ClaimedDrill[]> {
  return worker.query(sql`
    with due as (
      select app_id, drill_id from drills where status = 'running' and due_at <= statement_timestamp()
      order by due_at limit ${limit} for update skip locked)
    update drills d set claim_no = claim_no + 1, due_at = clock_timestamp() + ${forMs}::float8 * interval '1 ms'
    from due where d.app_id = due.app_id and d.drill_id = due.drill_id
    returning d.app_id, d.drill_id, d.endpoint_id, d.steps, d.claim_no`);
}

/**
 * Saves a drill. Unless the drill ends, its claim is extended by `forMs`. Returns false if the claim was lost or the
 * drill was deleted.
 */
export async function saveDrill(
  worker: Queryable,
  drill: ClaimedDrill,
  next: { forMs: number } | { status: Exclude<Drill['status'], 'running'>; reason: string | null },
): Promise<boolean> {
  const isOver = 'status' in next;
  const forMs = isOver ? 0 : next.forMs;
  const rows = await worker.query(sql`
    update drills set steps = ${JSON.stringify(drill.steps)}::jsonb,
      status = ${isOver ? next.status : 'running'}, reason = ${isOver ? next.reason : null},
      finished_at = case when ${isOver}::boolean then clock_timestamp() end,
      due_at = clock_timestamp() + ${forMs}::float8 * interval '1 ms'
    where app_id = ${drill.app_id} and drill_id = ${drill.drill_id} and status = 'running'
      and claim_no = ${drill.claim_no}
    returning drill_id`);
  return rows.length === 1;
}

/**
 * Counts the enabled endpoints, and those that passed their latest drill: no step failed and none was left out. An
 * effect that the receiver does not report counts as passed.
 */
export async function countPassedDrills(tenant: Tenant): Promise<{ endpoints: number; passed: number }> {
  const rows = await tenant.query<{ endpoints: number; passed: number }>(sql`
    select count(*)::int as endpoints, (count(*) filter (where latest.is_passed))::int as passed
    from endpoints e left join lateral (
      select not exists (
        select from jsonb_array_elements(d.steps) step where coalesce(step ->> 'verdict', 'none') not in ('passed', 'unseen'))
        as is_passed
      from drills d where d.app_id = e.app_id and d.endpoint_id = e.endpoint_id and d.status <> 'running'
      order by d.drill_id desc limit 1) latest on true
    where e.app_id = ${tenant.appId} and e.state = 'enabled'`);
  return rows[0] as { endpoints: number; passed: number }; // an aggregate returns one row
}
