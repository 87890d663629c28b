// `slipway-server api --environment sandbox`.

import type { Config } from '../../config/config.ts';
import type { Log } from '../../kit/telemetry/log.ts';
import { createApiCallHandler } from '../../listeners/api-call-handler.ts';
import { createSandboxApi } from '../../listeners/sandbox-api.ts';
import { createManagement } from '../../listeners/sandbox-management.ts';
import type { Lifetime } from '../process.ts';
import { startApi } from './plane-role.ts';

export const start = (config: Config, log: Log, lifetime: Lifetime): Promise<void> =>
  startApi(
    'sandbox',
    {
      api: ({ plane }, options) => createSandboxApi(plane, options),
      management: (open, onInternalError, count) =>
        createManagement(
          { ...open.plane, callApi: createApiCallHandler(open, onInternalError) },
          onInternalError,
          count,
        ),
    },
    config,
    log,
    lifetime,
  );
