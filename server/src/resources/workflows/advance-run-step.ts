// Advances a run by one step and writes its event.

import type { EventPort, TenantTransaction } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { emitEvent } from '../events/index.ts';
import { nextTransition, type RunTransition } from './run-transition.ts';
import { updateRun } from './store.ts';
import { toWorkflowRun, type WorkflowRunRow } from './workflow-run.ts';

/** The duration of each step. */
const STEP_MS = 1_000;

/** Returns the new row of the run, and the event if the step has one. The caller must hold the lock of the row. */
export async function advanceRunStep(
  tenant: TenantTransaction,
  plane: EventPort,
  run: WorkflowRunRow & { failing_step: number | null },
  at: Date,
): Promise<{ row: WorkflowRunRow; event: { type: RunTransition['event']; body: string } | undefined }> {
  const next = nextTransition(run, run.failing_step, at);
  const isOver = next.status === 'succeeded' || next.status === 'failed';
  const row = await updateRun(tenant, run.workflow_run_id, next, isOver ? undefined : STEP_MS);
  if (next.event === undefined) return { row, event: undefined };
  const data = toWorkflowRun(row);
  const body = await emitEvent(tenant, plane, {
    type: next.event,
    serverId: row.server_id,
    subject: { uuid: row.workflow_run_id, id: data.id },
    sequence: row.event_sequence,
    requestId: row.request_id === null ? null : toId('req', row.request_id),
    data,
  });
  return { row, event: { type: next.event, body } };
}
