// `slipway-server api --environment sandbox`.

import type { Config } from '../../config/config.ts';
import type { Log } from '../../kit/telemetry/log.ts';
import { createApiCallHandler } from '../../listeners/api-call-handler.ts';
import { createSandboxApi } from '../../listeners/sandbox-api.ts';
import { createManagement } from '../../listeners/sandbox-management.ts';
import { captureErrors, openCaptures, type SandboxCaptures } from '../captures.ts';
import type { OpenPlane } from '../plane.ts';
import type { Lifetime } from '../process.ts';
import { startApi } from './plane-role.ts';

export function start(config: Config, log: Log, lifetime: Lifetime): Promise<void> {
  let captures: SandboxCaptures | undefined;
  // Both listeners and the calls by a key's id share one queue.
  const capturesOf = (open: OpenPlane): SandboxCaptures => {
    captures ??= openCaptures(open, config.captures, captureErrors(log));
    return captures;
  };
  return startApi(
    'sandbox',
    {
      api: (open, options) => createSandboxApi(open.plane, { ...options, captures: capturesOf(open).queue }),
      management(open, onInternalError, count) {
        const { port, queue } = capturesOf(open);
        const callApi = createApiCallHandler(open, onInternalError, queue);
        return createManagement({ ...open.plane, captures: port, callApi }, onInternalError, count);
      },
    },
    config,
    log,
    lifetime,
  );
}
