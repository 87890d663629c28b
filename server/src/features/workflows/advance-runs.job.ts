// Takes runs through their steps: each step in a transaction of its own, together with the event that tells of it. Several
// workers may do it at once: a run belongs to the one that has its row.
import type { Database } from '../../kit/db.ts';
import { toId } from '../../kit/ids.ts';
import { type Loop, startLoop } from '../../kit/loop.ts';
import { asTenant, type Plane, type Tenant } from '../authority/index.ts';
import { emitEvent } from '../events/index.ts';
import { type Advance, advance } from './advance.ts';
import { listDueRuns, lockDueRun, updateRun } from './store.ts';
import { toWorkflowRun, type WorkflowRunRow } from './workflow-run.ts';

/** How long a run is queued, and how long each step takes. */
export const FIRST_STEP_AFTER_MS = 500;
const STEP_MS = 1_000;
const LOOK_EVERY_MS = 250;
const BATCH = 100;

export function startRuns(worker: Database, plane: Plane, onError: (error: unknown) => void): Loop {
  return startLoop(() => advanceDueRuns(worker, plane, onError), LOOK_EVERY_MS, onError);
}

/** Every run that is due by now, once. One that cannot go on is told of, and holds up no other. */
export async function advanceDueRuns(worker: Database, plane: Plane, onError: (error: unknown) => void): Promise<void> {
  const due = await listDueRuns(worker, BATCH);
  for (const { app_id: appId, workflow_run_id: runId } of due) {
    await asTenant(plane.db.api, appId, (tenant) => advanceRun(tenant, plane, runId)).catch(onError);
  }
  if (due.length > 0) plane.wake();
}

async function advanceRun(tenant: Tenant, plane: Plane, runId: string): Promise<void> {
  const run = await lockDueRun(tenant, runId);
  if (!run) return;
  const next = advance(run, run.failing_step, new Date(run.now_ms));
  const isOver = next.status === 'succeeded' || next.status === 'failed';
  const row = await updateRun(tenant, runId, next, isOver ? undefined : STEP_MS);
  if (next.event !== undefined) await tell(tenant, plane, row, next.event);
}

function tell(tenant: Tenant, plane: Plane, row: WorkflowRunRow, type: NonNullable<Advance['event']>): Promise<void> {
  const data = toWorkflowRun(row);
  return emitEvent(tenant, plane, {
    type,
    serverId: row.server_id,
    subject: { type: 'workflow_run', uuid: row.workflow_run_id, id: data.id },
    sequence: row.event_sequence,
    requestId: toId('req', row.request_id),
    data,
  });
}
