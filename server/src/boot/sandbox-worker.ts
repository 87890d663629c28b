// The jobs of a sandbox worker: those of either environment, the steps of workflow runs, the end of captures, and the activity of worlds.

import { startCaptureExpiry } from '../inspector/captures/index.ts';
import { hasDueObjects, startDueObjects } from '../resources/operations/index.ts';
import { startWorkflowRuns } from '../resources/workflows/index.ts';
import { startWorldTicks } from '../sandbox/world/index.ts';
import type { Dispatcher } from '../webhooks/dispatch/index.ts';
import { type JobReports, startJobs } from './jobs.ts';
import type { OpenPlane } from './plane.ts';
import type { Lifetime } from './process.ts';
import { bindPools, startWorker, type WorkerJob, type WorkerOptions } from './worker.ts';

const JOBS = [
  {
    name: 'workflow-runs',
    pool: 'worker',
    start: (db, { open }, onError) => startWorkflowRuns(db, open.plane, onError),
  },
  { name: 'due-objects', pool: 'worker', start: (db, { open }, onError) => startDueObjects(db, open.plane, onError) },
  {
    name: 'capture-expiry',
    pool: 'worker',
    start: (db, { open, options }, onError) =>
      startCaptureExpiry(
        db,
        { masterKeys: open.plane.secrets.masterKeys, isAllowed: options.areCapturesAllowed ?? true },
        onError,
      ),
  },
  { name: 'world-ticks', pool: 'worker', start: (db, { open }, onError) => startWorldTicks(db, open.plane, onError) },
] as const satisfies readonly WorkerJob[];

export async function startSandboxWorker(
  open: OpenPlane,
  options: WorkerOptions,
  reports: JobReports,
  lifetime: Lifetime,
): Promise<Dispatcher> {
  await startJobs(
    bindPools(hasDueObjects ? JOBS : JOBS.filter(({ name }) => name !== 'due-objects')),
    { open, options, log: reports.log },
    reports,
    lifetime,
  );
  return startWorker(open, options, reports, lifetime);
}
