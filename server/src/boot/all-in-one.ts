// Starts Console and sandbox in one process, with an embedded Postgres or the operator's two databases.

import { type Config, refuseHalfDatabases, refuseProduction } from '../config/config.ts';
import { readMasterKeys } from '../config/master-keys.ts';
import { readPeppers } from '../config/peppers.ts';
import { findSecrets, readSecrets, recordStartedVersions, type Secrets } from '../config/secrets.ts';
import { localLink } from '../governance/environments/index.ts';
import type { Log } from '../kit/telemetry/log.ts';
import { createApiCallHandler } from '../listeners/api-call-handler.ts';
import { createConsole } from '../listeners/console.ts';
import { createSandboxApi } from '../listeners/sandbox-api.ts';
import { createManagement } from '../listeners/sandbox-management.ts';
import { captureErrors, openCaptures } from './captures.ts';
import {
  announceStart,
  type ConsoleRuntime,
  consoleServices,
  ensureOwner,
  openConsoleDatabase,
  startConsoleJobs,
} from './console-runtime.ts';
import { startDatabases, withConfigErrors } from './databases.ts';
import { receiverHosts, startDemo } from './demo.ts';
import { configuredMonitoringAddress, type Monitoring, startMonitoring } from './monitoring.ts';
import type { OpenPlane } from './plane.ts';
import { type Lifetime, listen, planeOptions, refuseSharedPorts, refuseTakenPorts, startPlane } from './process.ts';
import { startSandboxWorker } from './sandbox-worker.ts';
import { undeclaredProxyWarning } from './undeclared-proxy.ts';
import { runWorker, workerOptions } from './worker.ts';

export async function startAllInOne(configured: Config, log: Log, lifetime: Lifetime): Promise<void> {
  const config = configured.isDemo ? withDemoReceiver(configured) : configured;
  refuseProduction(config);
  refuseHalfDatabases(config);
  refuseSharedPorts([...listenerAddressesOf(config), ...configuredMonitoringAddress(config)]);
  const monitoring = await startMonitoring('all', config, log, lifetime);
  const secrets = await withConfigErrors(readSecrets(config));
  const { rotation } = await findSecrets(config);
  const peppers = readPeppers(rotation, secrets.pepper);
  const masterKeys = readMasterKeys(rotation, secrets.masterKey);
  const databases = config.databases ?? (await startDatabases(config, secrets, log, lifetime));
  const open = await startPlane(
    planeOptions(config, 'sandbox', {
      databaseUrl: databases.sandbox,
      docsUrl: `${config.consoleUrl}/docs`,
      webhookAllowHosts: config.webhookAllowHosts,
      secrets: { ...secrets, peppers, masterKeys },
    }),
    log,
    lifetime,
  );
  const home = await openConsoleDatabase(config, databases.console, secrets, monitoring.jobReports, lifetime);
  const startedWithMasterKeyVersion = masterKeys.current.slice(1);
  await recordStartedVersions(config, {
    startedWithPepperVersion: String(peppers.current),
    startedWithMasterKeyVersion,
  });
  await monitoring.watchPlane(open);
  await monitoring.watchConsole(home.db, home.pools, config.mail !== undefined);
  const owner = await ensureOwner(home, config);
  await refuseTakenPorts(listenerAddressesOf(config));
  const demo = config.isDemo ? await startDemo(open, home, owner, config, log, lifetime) : undefined;
  const dispatcher = await runWorker(
    open,
    startSandboxWorker,
    workerOptions(config, 'sandbox'),
    monitoring.jobReports,
    lifetime,
  );
  monitoring.watchDispatcher(dispatcher, open.worker);
  await startListeners(config, open, home, secrets, monitoring, log, lifetime);
  monitoring.ready({ sentRequests: true });
  await announceStart('Slipway', config, home, demo, log);
}

/** Allows webhooks and destinations of notices to reach the demo's receiver. */
const withDemoReceiver = (config: Config): Config => ({
  ...config,
  webhookAllowHosts: [...config.webhookAllowHosts, ...receiverHosts(config)],
});

function listenerAddressesOf({ host, ports, planes, isDemo }: Config): Parameters<typeof refuseTakenPorts>[0] {
  return [
    { host, port: planes.sandbox.ports.api, setting: 'SLIPWAY_SANDBOX_API_PORT' },
    { host, port: ports.console, setting: 'SLIPWAY_CONSOLE_PORT' },
    ...(isDemo
      ? [{ host: '127.0.0.1', port: ports.demoReceiver, setting: 'SLIPWAY_DEMO_RECEIVER_PORT' } as const]
      : []),
  ];
}

async function startListeners(
  config: Config,
  open: OpenPlane,
  home: ConsoleRuntime,
  secrets: Secrets,
  monitoring: Monitoring,
  log: Log,
  lifetime: Lifetime,
): Promise<void> {
  const { plane, recorder } = open;
  const { host, ports, planes, trustedProxies } = config;
  const onInternalError = (error: unknown, requestId: string): void =>
    log.error('request.failed: A request failed with an internal error.', error, { requestId });
  const count = monitoring.countRequests('api');
  const onUndeclaredProxy = undeclaredProxyWarning(log, 'all', 'sandbox', config);
  const captures = openCaptures(open, config.captures, captureErrors(log));
  const api = createSandboxApi(plane, {
    recorder,
    captures: captures.queue,
    trustedProxies,
    onUndeclaredProxy,
    count,
    onInternalError,
  });
  const management = createManagement(
    { ...plane, captures: captures.port, callApi: createApiCallHandler(open, onInternalError, captures.queue) },
    onInternalError,
    monitoring.countRequests('management'),
  );
  lifetime.onStop(() => management.close());
  const receiverUrl = config.receiverUrl ?? (config.isDemo ? `http://localhost:${ports.demoReceiver}` : null);
  const link = localLink(management);
  const connections = [{ environment: 'sandbox', link, managementKey: secrets.managementKey } as const];
  const consoleApp = await createConsole({
    services: consoleServices(config, home, [{ name: 'sandbox', apiUrl: config.planes.sandbox.apiUrl, receiverUrl }]),
    connections,
    problemsUrl: plane.urls.problems,
    trustedProxies,
    onUndeclaredProxy,
    isClosed: home.gate.isClosed,
    count: monitoring.countRequests('console'),
    onInternalError,
  });
  await listen(api, { host, port: planes.sandbox.ports.api, setting: 'SLIPWAY_SANDBOX_API_PORT' }, lifetime);
  await listen(consoleApp, { host, port: ports.console, setting: 'SLIPWAY_CONSOLE_PORT' }, lifetime);
  await startConsoleJobs(config, home, connections, monitoring.jobReports, lifetime);
}
