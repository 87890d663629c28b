// `slipway-server api --environment production`.
import type { Config } from '../config.ts';
import { createGateway } from '../features/gateway/index.ts';
import type { Log } from '../kit/log.ts';
import { serveManagement } from '../management.ts';
import type { Lifetime } from '../process.ts';
import { createProductionApi, productionApi } from '../production-api.ts';
import { productionManagement } from '../production-management.ts';
import { startApi } from './plane-role.ts';

export function start(config: Config, log: Log, lifetime: Lifetime): Promise<void> {
  const { url, identityKey } = config.needUpstream();
  return startApi(
    'production',
    {
      api(open, options) {
        const gateway = createGateway({ url, identityKey, onFailure: (failure) => log.error('upstream', failure) });
        lifetime.onStop(() => gateway.close());
        return createProductionApi(open.plane, gateway, options);
      },
      management: ({ plane }, onInternalError, count) =>
        serveManagement(productionManagement(productionApi()), plane, onInternalError, count),
    },
    config,
    log,
    lifetime,
  );
}
