// `slipway-server worker --environment sandbox`.
import type { Config } from '../../config/config.ts';
import type { Log } from '../../kit/telemetry/log.ts';
import type { Lifetime } from '../process.ts';
import { startSandboxWorker } from '../sandbox-worker.ts';
import { startWorkerOf } from './plane-role.ts';

export const start = (config: Config, log: Log, lifetime: Lifetime): Promise<void> =>
  startWorkerOf('sandbox', startSandboxWorker, config, log, lifetime);
