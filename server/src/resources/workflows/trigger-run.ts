// Runs a workflow for the Console up to a requested event, without a request to the API.

import type { EventPort, TenantTransaction } from '../../access/authority/index.ts';
import { inputErrors, waitingSteps, type workflowRuns } from '../../access/contracts/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { advanceRunStep } from './advance-run-step.ts';
import { findEnabledWorkflow, insertRun } from './store.ts';
import { toStoredWorkflow, type WorkflowRow } from './workflow.ts';

type RunEvent = keyof typeof workflowRuns.events;

/**
 * Returns the requested event, or undefined if no enabled workflow matches. After a `started` event, the worker
 * continues the run.
 */
export async function triggerRun(
  tenant: TenantTransaction,
  plane: EventPort,
  workflowId: string | undefined,
  wanted: RunEvent,
  given?: object,
): Promise<string | undefined> {
  const workflow = await findEnabledWorkflow(tenant, workflowId);
  if (!workflow) return undefined;
  const input = given ?? sampleInput(workflow);
  const errors = inputErrors(toStoredWorkflow(workflow), input, '/set/input');
  if (errors.length > 0) throw problem('invalid_request', { errors });
  const failing_step = wanted === 'workflow_run.failed' ? (workflow.failing_step ?? 1) : null;
  const run = { runId: newUuid(), workflow, input, steps: waitingSteps(workflow), requestUuid: null, dueInMs: 0 };
  let row = await insertRun(tenant, run);
  for (;;) {
    const step = await advanceRunStep(tenant, plane, { ...row, failing_step }, new Date(nowMs()));
    if (step.event?.type === wanted) return step.event.body;
    row = step.row;
  }
}

/** Returns the minimal input for the schemas of synthetic workflows, which contain strings and integers. */
function sampleInput({ input_schema: schema }: WorkflowRow): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, { type?: string; minimum?: number }>;
    required?: string[];
  }; // the schemas of the declared workflows
  return Object.fromEntries(
    required.map((name) => [name, properties[name]?.type === 'integer' ? (properties[name]?.minimum ?? 0) : 'Sample']),
  );
}
