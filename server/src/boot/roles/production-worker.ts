// `slipway-server worker --environment production`.
import { requireProductionContract } from '../../access/contracts/index.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../kit/telemetry/log.ts';
import type { Lifetime } from '../process.ts';
import { startWorker } from '../worker.ts';
import { startWorkerOf } from './plane-role.ts';

export function start(config: Config, log: Log, lifetime: Lifetime): Promise<void> {
  requireProductionContract();
  return startWorkerOf('production', startWorker, config, log, lifetime);
}
