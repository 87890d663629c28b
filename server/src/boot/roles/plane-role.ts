// An environment's API and worker as separate processes, on the operator's Postgres and with configured, not generated,
// secrets. Differences between the environments are arguments.
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../../access/authority/index.ts';
import { type Config, refuseOtherCredentials } from '../../config/config.ts';
import { readMasterKeys } from '../../config/master-keys.ts';
import { readPeppers } from '../../config/peppers.ts';
import { settingOf } from '../../config/plane-settings.ts';
import { limitHeapGrowth } from '../../kit/flow/heap-growth.ts';
import type { MountOptions } from '../../kit/http/mount.ts';
import type { Log } from '../../kit/telemetry/log.ts';
import type { ApiOptions } from '../../listeners/api.ts';
import { configuredMonitoringAddress, type Monitoring, startMonitoring } from '../monitoring.ts';
import type { OpenPlane } from '../plane.ts';
import { type Lifetime, listen, planeOptions, refuseSharedPorts, startPlane } from '../process.ts';
import { undeclaredProxyWarning } from '../undeclared-proxy.ts';
import { runWorker, type startWorker, workerOptions } from '../worker.ts';

function openEnvironment(environment: Environment, config: Config, log: Log, lifetime: Lifetime): Promise<OpenPlane> {
  return startPlane(
    planeOptions(config, environment, {
      databaseUrl: config.need(settingOf(environment, 'DATABASE_URL')),
      docsUrl: config.docsUrl,
      webhookAllowHosts: config.webhookAllowHosts,
      secrets: {
        peppers: readPeppers(config, config.needSecret(settingOf(environment, 'PEPPER')), environment),
        masterKeys: readMasterKeys(config, config.needSecret(settingOf(environment, 'MASTER_KEY')), environment),
        managementKey: config.needSecret(settingOf(environment, 'MANAGEMENT_KEY')),
      },
    }),
    log,
    lifetime,
  );
}

type Count = NonNullable<MountOptions<unknown>['count']>;

/** The two listeners of an environment. */
interface Listeners {
  api(open: OpenPlane, options: ApiOptions, monitoring: Monitoring): FastifyInstance;
  management(open: OpenPlane, onInternalError: ApiOptions['onInternalError'], count: Count): FastifyInstance;
}

const NAMES: Record<Environment, string> = { sandbox: 'The sandbox', production: 'The production' };

export async function startApi(
  environment: Environment,
  listeners: Listeners,
  config: Config,
  log: Log,
  lifetime: Lifetime,
): Promise<void> {
  refuseOtherCredentials(config, environment);
  const { host, trustedProxies } = config;
  const { ports, apiUrl } = config.planes[environment];
  const managementPlace = { host, port: ports.management, setting: settingOf(environment, 'MANAGEMENT_PORT') };
  const apiPlace = { host, port: ports.api, setting: settingOf(environment, 'API_PORT') };
  refuseSharedPorts([managementPlace, apiPlace, ...configuredMonitoringAddress(config)]);
  const monitoring = await startMonitoring('api', config, log, lifetime);
  const open = await openEnvironment(environment, config, log, lifetime);
  await monitoring.watchPlane(open);
  const onInternalError = (error: unknown, requestId: string): void =>
    log.error('request.failed: A request failed with an internal error.', error, { requestId });
  const management = listeners.management(open, onInternalError, monitoring.countRequests('management'));
  const count = monitoring.countRequests('api');
  const onUndeclaredProxy = undeclaredProxyWarning(log, 'api', environment, config);
  const { recorder } = open;
  const options = { recorder, trustedProxies, onUndeclaredProxy, count, onInternalError };
  const api = listeners.api(open, options, monitoring);
  await listen(management, managementPlace, lifetime);
  await listen(api, apiPlace, lifetime);
  monitoring.ready({ sentRequests: true });
  log.info(`process.ready: ${NAMES[environment]} API is ready.`, {
    api: `${apiUrl}/v1`,
    managementPort: ports.management,
  });
}

export async function startWorkerOf(
  environment: Environment,
  start: typeof startWorker,
  config: Config,
  log: Log,
  lifetime: Lifetime,
): Promise<void> {
  limitHeapGrowth();
  refuseOtherCredentials(config, environment);
  const monitoring = await startMonitoring('worker', config, log, lifetime);
  const open = await openEnvironment(environment, config, log, lifetime);
  await monitoring.watchPlane(open);
  const dispatcher = await runWorker(open, start, workerOptions(config, environment), monitoring.jobReports, lifetime);
  monitoring.watchDispatcher(dispatcher, open.worker);
  monitoring.ready({ sentRequests: false });
  log.info(`process.ready: ${NAMES[environment]} worker is ready.`);
}
