// `slipway-server api --environment production`.
import { requireProductionContract } from '../../access/contracts/index.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../kit/telemetry/log.ts';
import { createProductionApi } from '../../listeners/production-api.ts';
import { createProductionManagement } from '../../listeners/production-management.ts';
import { createUpstreamFailureCounter } from '../../platform/upstream-failures/index.ts';
import { createGateway } from '../../production/gateway/index.ts';
import type { Lifetime } from '../process.ts';
import { startApi } from './plane-role.ts';

export function start(config: Config, log: Log, lifetime: Lifetime): Promise<void> {
  requireProductionContract();
  const { url, identityKey, ingestKey } = config.needUpstream();
  return startApi(
    'production',
    {
      api(open, options, monitoring) {
        const failures = createUpstreamFailureCounter(open.worker, (error) =>
          log.error('upstream_failures.record_failed: Failures of the upstream API could not be recorded.', error),
        );
        const gateway = createGateway({
          url,
          identityKey,
          onFailure: failures.count,
          onUnstoredOutcome: (error, requestId) =>
            log.error('mutation.outcome_not_stored: The outcome of a mutation could not be stored.', error, {
              requestId,
            }),
        });
        monitoring.watchUpstream(gateway.measures);
        lifetime.onStop(() => failures.flush());
        lifetime.onStop(() => gateway.close());
        return createProductionApi(open.plane, gateway, options);
      },
      management: ({ plane, worker }, onInternalError, count) =>
        createProductionManagement(plane, { key: ingestKey, worker }, onInternalError, count),
    },
    config,
    log,
    lifetime,
  );
}
