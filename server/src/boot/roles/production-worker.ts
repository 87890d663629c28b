// `slipway-server worker --environment production`.
import type { Config } from '../../config/config.ts';
import type { Log } from '../../kit/telemetry/log.ts';
import type { Lifetime } from '../process.ts';
import { startWorker } from '../worker.ts';
import { startWorkerOf } from './plane-role.ts';

export const start = (config: Config, log: Log, lifetime: Lifetime): Promise<void> =>
  startWorkerOf('production', startWorker, config, log, lifetime);
