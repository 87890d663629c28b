// Advances runs through their steps. Each step has its own transaction, which also writes the event. Several workers
// may run the job concurrently: the worker that locks a run's row advances the run.

import {
  type EventPort,
  runAsTenant,
  type TenantTransaction,
  tryLockActiveApp,
  type WorkPort,
} from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { runEach } from '../../kit/flow/run-each.ts';
import { advanceRunStep } from './advance-run-step.ts';
import { listDueRuns, lockDueRun } from './store.ts';

const RUN_EVERY_MS = 250;
const BATCH = 100;

export function startWorkflowRuns(worker: Database, plane: WorkPort, onError: (error: unknown) => void): Loop {
  return startLoop(() => advanceDueRuns(worker, plane, onError), RUN_EVERY_MS, onError);
}

/**
 * Advances every due run by one step. If a run fails to advance, the job reports the error and continues with the other
 * runs.
 */
export async function advanceDueRuns(
  worker: Database,
  plane: WorkPort,
  onError: (error: unknown) => void,
): Promise<void> {
  const due = await listDueRuns(worker, BATCH);
  const advance = ({ app_id: appId, workflow_run_id: runId }: (typeof due)[number]) =>
    runAsTenant(plane.db.api, appId, (tenant) => advanceRun(tenant, plane, runId));
  await runEach('workflow run step', due, advance, onError);
  if (due.length > 0) plane.deliveries.wake();
}

async function advanceRun(tenant: TenantTransaction, plane: EventPort, runId: string): Promise<void> {
  if (!(await tryLockActiveApp(tenant))) return;
  const run = await lockDueRun(tenant, runId);
  if (!run) return;
  await advanceRunStep(tenant, plane, run, new Date(run.now_ms));
}
