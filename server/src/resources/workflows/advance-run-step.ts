// Advances a run by one step and writes its event.

import type { EventPort, TenantTransaction } from '../../access/authority/index.ts';
import { workflowRuns } from '../../access/contracts/index.ts';
import { emitObjectEvent } from '../events/index.ts';
import { updateRun } from './store.ts';
import type { WorkflowRunRow } from './workflow-run.ts';

type RunEvent = keyof typeof workflowRuns.events;

/** Returns the new row of the run, and the event if the step has one. The caller must hold the lock of the row. */
export async function advanceRunStep(
  tenant: TenantTransaction,
  plane: EventPort,
  run: WorkflowRunRow & { failing_step: number | null },
  at: Date,
): Promise<{ row: WorkflowRunRow; event: { type: RunEvent; body: string } | undefined }> {
  const next = workflowRuns.onDue({ object: run, parent: { failingStep: run.failing_step }, now: at });
  const row = await updateRun(tenant, run.workflow_run_id, next);
  if (next.event === undefined) return { row, event: undefined };
  const body = await emitObjectEvent(tenant, plane, workflowRuns, next.event, row);
  return { row, event: { type: next.event, body } };
}
