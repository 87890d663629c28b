// `slipway-server api --environment sandbox`.
import { createCalls } from '../calls.ts';
import type { Config } from '../config.ts';
import type { Log } from '../kit/log.ts';
import type { Lifetime } from '../process.ts';
import { createSandboxApi } from '../sandbox-api.ts';
import { createManagement } from '../sandbox-management.ts';
import { startApi } from './plane-role.ts';

export const start = (config: Config, log: Log, lifetime: Lifetime): Promise<void> =>
  startApi(
    'sandbox',
    {
      api: ({ plane }, options) => createSandboxApi(plane, options),
      management: (open, onInternalError, count) =>
        createManagement({ ...open.plane, callApi: createCalls(open, onInternalError) }, onInternalError, count),
    },
    config,
    log,
    lifetime,
  );
