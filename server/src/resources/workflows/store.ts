// The SQL of workflows and their runs.

import type { Tenant, TenantReader, TenantWriter } from '../../access/authority/index.ts';
import type { workflowRuns } from '../../access/contracts/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { defineItemRead, defineItemWrite } from '../../kit/db/item-statement-store.ts';
import { sql } from '../../kit/db/sql.ts';
import { TABLES } from '../objects/index.ts';
import type { WorkflowRow } from './workflow.ts';
import type { WorkflowRunRow } from './workflow-run.ts';

const FIND = defineItemRead<{ workflow_id: string }, WorkflowRow>(
  sql`workflow_id uuid`,
  (rows) => sql`select nth, ${TABLES.workflow.columns} from ${rows} join workflows using (app_id, workflow_id)`,
);

export async function findWorkflow(tenant: TenantReader, workflowId: string): Promise<WorkflowRow | undefined> {
  const [row] = await tenant.each(FIND, { workflow_id: workflowId });
  return row;
}

/** Returns an enabled workflow: by its id, or the newest one. */
export function findEnabledWorkflow(tenant: Tenant, workflowId: string | undefined): Promise<WorkflowRow | undefined> {
  const one = workflowId === undefined ? sql`` : sql`and workflow_id = ${workflowId}`;
  return tenant.first(sql`select ${TABLES.workflow.columns} from workflows
    where app_id = ${tenant.appId} and enabled ${one} order by workflow_id desc limit 1`);
}

interface NewRun {
  runId: string;
  workflow: WorkflowRow;
  input: object;
  steps: readonly object[];
  requestUuid: string | null;
  dueInMs: number;
}

type RunChange = ReturnType<typeof workflowRuns.onDue>;

interface NewRunRow {
  workflow_run_id: string;
  workflow_id: string;
  server_id: string;
  input: object;
  steps: readonly object[];
  request_id: string | null;
  due_in_ms: number;
}

const INSERT_RUN = defineItemWrite<NewRunRow, WorkflowRunRow>(
  sql`workflow_run_id uuid, workflow_id uuid, server_id uuid, input jsonb, steps jsonb, request_id uuid, due_in_ms float8`,
  (rows) => sql`
    with asked as materialized (select * from ${rows}),
    made as (
      insert into workflow_runs (app_id, workflow_run_id, workflow_id, server_id, input, steps, request_id, due_at)
      select app_id, workflow_run_id, workflow_id, server_id, input, steps, request_id,
        clock_timestamp() + due_in_ms * interval '1 ms'
      from asked
      returning ${TABLES.workflow_run.columns})
    select asked.nth, made.* from made join asked using (workflow_run_id)`,
);

export async function insertRun(tenant: TenantWriter, run: NewRun): Promise<WorkflowRunRow> {
  const { workflow_id, server_id } = run.workflow;
  const [row] = await tenant.each(INSERT_RUN, {
    workflow_run_id: run.runId,
    workflow_id,
    server_id,
    input: run.input,
    steps: run.steps,
    request_id: run.requestUuid,
    due_in_ms: run.dueInMs,
  });
  return row as WorkflowRunRow; // an insert without a conflict clause returns its row or throws
}

/** Lists due runs of active apps, longest wait first. */
export function listDueRuns(worker: Queryable, limit: number): Promise<{ app_id: string; workflow_run_id: string }[]> {
  return worker.query(sql`select r.app_id, r.workflow_run_id from workflow_runs r join apps a using (app_id)
    where r.due_at <= clock_timestamp() and a.standing = 'active' order by r.due_at limit ${limit}`);
}

interface DueRunRow extends WorkflowRunRow {
  failing_step: number | null;
  /** The time of the database's clock, in milliseconds since the Unix epoch. */
  now_ms: number;
}

/** Locks the run until the transaction ends, unless it is no longer due or another worker has locked it. */
export function lockDueRun(tenant: Tenant, runId: string): Promise<DueRunRow | undefined> {
  return tenant.first(sql`
    select ${TABLES.workflow_run.columns}, extract(epoch from clock_timestamp())::float8 * 1000 as now_ms, (select failing_step from workflows w
      where w.app_id = r.app_id and w.workflow_id = r.workflow_id) as failing_step
    from workflow_runs r
    where app_id = ${tenant.appId} and workflow_run_id = ${runId} and due_at <= clock_timestamp()
    for update of r skip locked`);
}

/** Sets the values of the run that its handler has decided. */
export async function updateRun(
  tenant: Tenant,
  runId: string,
  { set, event, dueInMs }: RunChange,
): Promise<WorkflowRunRow> {
  const rows = await tenant.query<WorkflowRunRow>(sql`
    update workflow_runs set status = ${set.status}, steps = ${JSON.stringify(set.steps)}::jsonb,
      output = ${set.output === null ? null : JSON.stringify(set.output)}::jsonb,
      event_sequence = event_sequence + ${event === undefined ? 0 : 1}::int,
      due_at = clock_timestamp() + ${dueInMs ?? null}::float8 * interval '1 ms',
      finished_at = case when ${dueInMs ?? null}::float8 is null then clock_timestamp() end
    where app_id = ${tenant.appId} and workflow_run_id = ${runId}
    returning ${TABLES.workflow_run.columns}`);
  return rows[0] as WorkflowRunRow; // its row is locked by this transaction
}
