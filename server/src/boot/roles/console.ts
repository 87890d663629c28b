// `slipway-server console`: the only process with the management key of each environment, and with none of their other
// secrets.

import type { Environment } from '../../access/authority/index.ts';
import { type Config, ConfigError } from '../../config/config.ts';
import { CREDENTIALS, settingOf, UPSTREAM_CREDENTIALS, upstreamSetting } from '../../config/plane-settings.ts';
import { prepareDataDir } from '../../config/secrets.ts';
import { type PlaneConnection, remoteLink } from '../../governance/environments/index.ts';
import type { Log } from '../../kit/telemetry/log.ts';
import { createConsole } from '../../listeners/console.ts';
import { announceStart, consoleServices, openConsoleDatabase, startConsoleJobs } from '../console-runtime.ts';
import { configuredMonitoringAddress, startMonitoring } from '../monitoring.ts';
import { type Lifetime, listen, refuseSharedPorts } from '../process.ts';
import { undeclaredProxyWarning } from '../undeclared-proxy.ts';

/**
 * Returns the configured environments: always the sandbox, and production if any of its settings is set. Production
 * must then be complete.
 */
function environmentsOf({ productionSettings, find }: Config): Environment[] {
  const secrets = [
    ...CREDENTIALS.map((name) => settingOf('production', name)),
    ...UPSTREAM_CREDENTIALS.map(upstreamSetting),
  ];
  const own = secrets.find(find);
  if (own !== undefined)
    throw new ConfigError(`${own} is set, but only processes of production may have it. Unset it for the Console.`);
  if (productionSettings.length > 0 && find(settingOf('production', 'API_URL')) === undefined) {
    const [first] = productionSettings;
    throw new ConfigError(
      `${settingOf('production', 'API_URL')} is missing, which the Console shows: ${first} is set, and production requires all its settings.`,
    );
  }
  return productionSettings.length > 0 ? ['sandbox', 'production'] : ['sandbox'];
}

function connect(config: Config, environment: Environment): PlaneConnection {
  return {
    environment,
    managementKey: config.needSecret(settingOf(environment, 'MANAGEMENT_KEY')),
    link: remoteLink(environment, config.need(settingOf(environment, 'MANAGEMENT_URL')).replace(/\/$/, '')),
  };
}

export async function start(config: Config, log: Log, lifetime: Lifetime): Promise<void> {
  const environments = environmentsOf(config);
  const connections = environments.map((environment) => connect(config, environment));
  const consoleSecret = config.needSecret('SLIPWAY_CONSOLE_SECRET');
  const url = config.need('SLIPWAY_CONSOLE_DATABASE_URL');
  const { host, ports, planes } = config;
  const address = { host, port: ports.console, setting: 'SLIPWAY_CONSOLE_PORT' } as const;
  refuseSharedPorts([address, ...configuredMonitoringAddress(config)]);
  const monitoring = await startMonitoring('console', config, log, lifetime);
  prepareDataDir(config); // for the note with the owner's first link
  const home = await openConsoleDatabase(config, url, { consoleSecret }, monitoring.jobReports, lifetime);
  await monitoring.watchConsole(home.db, home.pools, config.mail !== undefined);
  // Production has none, because its deliveries must not be shown to others.
  const receiverOf = (name: Environment): string | null => (name === 'sandbox' ? (config.receiverUrl ?? null) : null);
  const environmentInfos = environments.map((name) => ({
    name,
    apiUrl: planes[name].apiUrl,
    receiverUrl: receiverOf(name),
  }));
  const app = await createConsole({
    services: consoleServices(config, home, environmentInfos),
    connections,
    problemsUrl: `${planes.sandbox.apiUrl}/problems`,
    trustedProxies: config.trustedProxies,
    onUndeclaredProxy: undeclaredProxyWarning(log, 'console', 'sandbox', config),
    isClosed: home.gate.isClosed,
    count: monitoring.countRequests('console'),
    onInternalError: (error, requestId) =>
      log.error('request.failed: A request failed with an internal error.', error, { requestId }),
  });
  await listen(app, address, lifetime);
  await startConsoleJobs(config, home, connections, monitoring.jobReports, lifetime);
  monitoring.ready({ sentRequests: true });
  await announceStart('The Console', config, home, undefined, log);
}
