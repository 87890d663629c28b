// The SQL of workflows and their runs.
import type { Queryable } from '../../kit/db.ts';
import { type Sql, sql } from '../../kit/sql.ts';
import { readRevised, type Tenant } from '../authority/index.ts';
import type { Advance } from './advance.ts';
import type { SyntheticWorkflow } from './synthetic-workflows.ts';
import type { WorkflowRow } from './workflow.ts';
import type { WorkflowRunRow } from './workflow-run.ts';

const COLUMNS: Sql = sql`workflow_id, server_id, name, description, input_schema, steps, failing_step, enabled, created_at`;

/** A server's workflows, newest first, after the position. */
export function listWorkflowRows(
  tenant: Tenant,
  serverId: string,
  after: string | undefined,
  limit: number,
): Promise<{ revision: number; rows: WorkflowRow[] }> {
  const beyond = after === undefined ? sql`` : sql`and workflow_id < ${after}`;
  const rows = sql`select ${COLUMNS} from workflows where app_id = ${tenant.appId} and server_id = ${serverId} ${beyond}
    order by workflow_id desc limit ${limit}`;
  return readRevised(tenant, 'workflows', rows, sql`order by workflow_id desc`);
}

export async function findWorkflow(tenant: Tenant, workflowId: string): Promise<WorkflowRow | undefined> {
  const rows = await tenant.query<WorkflowRow>(
    sql`select ${COLUMNS} from workflows where app_id = ${tenant.appId} and workflow_id = ${workflowId}`,
  );
  return rows[0];
}

/** Makes the workflows, or makes those that exist as they were when they were made. */
export async function upsertWorkflows(tenant: Tenant, made: readonly SyntheticWorkflow[]): Promise<void> {
  // One JSON document: the rows hold arrays and objects.
  await tenant.query(sql`
    insert into workflows (app_id, workflow_id, server_id, name, description, input_schema, steps, failing_step, enabled,
      created_at)
    select ${tenant.appId}::uuid, made.* from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as made (
      "workflowId" uuid, "serverId" uuid, name text, description text, "inputSchema" jsonb, steps text[],
      "failingStep" smallint, enabled boolean, "createdAt" timestamptz)
    on conflict (app_id, workflow_id) do update set enabled = excluded.enabled`);
}

/** A workflow that is switched on: this one, or the newest. */
export async function findEnabledWorkflow(
  tenant: Tenant,
  workflowId: string | undefined,
): Promise<WorkflowRow | undefined> {
  const one = workflowId === undefined ? sql`` : sql`and workflow_id = ${workflowId}`;
  const rows = await tenant.query<WorkflowRow>(sql`select ${COLUMNS} from workflows
    where app_id = ${tenant.appId} and enabled ${one} order by workflow_id desc limit 1`);
  return rows[0];
}

/** Of so many servers at a time: a statement has seconds. */
export async function deleteWorkflows(tenant: Tenant, serverIds: readonly string[]): Promise<void> {
  await tenant.query(
    sql`delete from workflows where app_id = ${tenant.appId} and server_id = any(${serverIds}::uuid[])`,
  );
}

/** Ended or not, and with them whatever of them was still to come. */
export async function deleteRuns(tenant: Tenant): Promise<void> {
  await tenant.query(sql`delete from workflow_runs where app_id = ${tenant.appId}`);
}

const RUN_COLUMNS: Sql = sql`workflow_run_id, workflow_id, server_id, status, input, output, steps, request_id,
  event_sequence, created_at, finished_at`;

export interface NewRun {
  runId: string;
  workflow: WorkflowRow;
  input: Record<string, unknown>;
  requestUuid: string | null;
  dueInMs: number;
}

export async function insertRun(tenant: Tenant, run: NewRun): Promise<WorkflowRunRow> {
  const { workflow } = run;
  const steps = workflow.steps.map((name) => ({ name, status: 'waiting', startedAt: null, finishedAt: null }));
  const rows = await tenant.query<WorkflowRunRow>(sql`
    insert into workflow_runs (app_id, workflow_run_id, workflow_id, server_id, input, steps, request_id, due_at)
    values (${tenant.appId}, ${run.runId}, ${workflow.workflow_id}, ${workflow.server_id},
      ${JSON.stringify(run.input)}::jsonb, ${JSON.stringify(steps)}::jsonb, ${run.requestUuid},
      clock_timestamp() + ${run.dueInMs}::float8 * interval '1 ms')
    returning ${RUN_COLUMNS}`);
  return rows[0] as WorkflowRunRow; // an insert without a conflict clause returns its row or throws
}

export async function findRun(
  tenant: Tenant,
  runId: string,
): Promise<{ revision: number; row: WorkflowRunRow | undefined }> {
  const { revision, rows } = await readRevised<WorkflowRunRow>(
    tenant,
    'activity',
    sql`select ${RUN_COLUMNS} from workflow_runs where app_id = ${tenant.appId} and workflow_run_id = ${runId}`,
  );
  return { revision, row: rows[0] };
}

/** Runs of active apps that are to go on by now, those that wait longest first. */
export function listDueRuns(worker: Queryable, limit: number): Promise<{ app_id: string; workflow_run_id: string }[]> {
  return worker.query(sql`select r.app_id, r.workflow_run_id from workflow_runs r join apps a using (app_id)
    where r.due_at <= clock_timestamp() and a.standing = 'active' order by r.due_at limit ${limit}`);
}

export interface DueRunRow extends WorkflowRunRow {
  failing_step: number | null;
  /** The database's clock, in milliseconds since the Unix epoch. */
  now_ms: number;
}

/** The run, if it is still due and no other worker has it, held until the transaction ends. */
export async function lockDueRun(tenant: Tenant, runId: string): Promise<DueRunRow | undefined> {
  const rows = await tenant.query<DueRunRow>(sql`
    select ${RUN_COLUMNS}, extract(epoch from clock_timestamp())::float8 * 1000 as now_ms, (select failing_step from workflows w
      where w.app_id = r.app_id and w.workflow_id = r.workflow_id) as failing_step
    from workflow_runs r
    where app_id = ${tenant.appId} and workflow_run_id = ${runId} and due_at <= clock_timestamp()
    for update of r skip locked`);
  return rows[0];
}

export async function updateRun(
  tenant: Tenant,
  runId: string,
  next: Advance,
  dueInMs: number | undefined,
): Promise<WorkflowRunRow> {
  const rows = await tenant.query<WorkflowRunRow>(sql`
    update workflow_runs set status = ${next.status}, steps = ${JSON.stringify(next.steps)}::jsonb,
      output = ${next.output === null ? null : JSON.stringify(next.output)}::jsonb,
      event_sequence = event_sequence + ${next.event === undefined ? 0 : 1}::int,
      due_at = clock_timestamp() + ${dueInMs ?? null}::float8 * interval '1 ms',
      finished_at = case when ${dueInMs ?? null}::float8 is null then clock_timestamp() end
    where app_id = ${tenant.appId} and workflow_run_id = ${runId}
    returning ${RUN_COLUMNS}`);
  return rows[0] as WorkflowRunRow; // its row is locked by this transaction
}
