// The jobs of a sandbox worker: those of either environment, the steps of workflow runs, and the activity of worlds.

import type { Log } from '../kit/telemetry/log.ts';
import { startRuns } from '../resources/workflows/index.ts';
import { startWorlds } from '../sandbox/world/index.ts';
import type { Dispatcher } from '../webhooks/dispatch/index.ts';
import type { OpenPlane } from './plane.ts';
import type { Lifetime } from './process.ts';
import { startWorker } from './worker.ts';

export function startSandboxWorker(
  open: OpenPlane,
  options: Parameters<typeof startWorker>[1],
  log: Log,
  lifetime: Lifetime,
): Promise<Dispatcher> {
  const { worker, plane } = open;
  const runs = startRuns(worker, plane, (error) => log.error('workflow runs', error));
  lifetime.onStop(() => runs.stop());
  const worlds = startWorlds(worker, plane, (error) => log.error('worlds', error));
  lifetime.onStop(() => worlds.stop());
  return startWorker(open, options, log, lifetime);
}
