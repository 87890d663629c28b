// Each role as a process of its own, on the Postgres that the operator names and with secrets that are given, not drawn.
import { createSandboxApi } from './api.ts';
import { createCalls } from './calls.ts';
import type { Config } from './config.ts';
import { createConsole } from './console.ts';
import { announce, consoleServices, openConsoleDatabase, startConsoleJobs } from './console-home.ts';
import { remoteLink } from './features/environments/index.ts';
import type { Log } from './kit/log.ts';
import { createManagement } from './management.ts';
import { readMasterKeys } from './master-keys.ts';
import { chosenPlace, startMonitoring } from './monitoring.ts';
import { readPeppers } from './peppers.ts';
import type { OpenPlane } from './plane.ts';
import { type Lifetime, listen, refuseSharedPorts, startPlane } from './process.ts';
import { prepareDataDir } from './secrets.ts';
import { startWorker } from './worker.ts';

function openSandbox(config: Config, log: Log, lifetime: Lifetime): Promise<OpenPlane> {
  return startPlane(
    {
      environment: 'sandbox',
      databaseUrl: config.need('SLIPWAY_SANDBOX_DATABASE_URL'),
      publicUrl: config.sandboxApiUrl,
      secrets: {
        peppers: readPeppers(config, config.needSecret('SLIPWAY_SANDBOX_PEPPER')),
        masterKeys: readMasterKeys(config, config.needSecret('SLIPWAY_SANDBOX_MASTER_KEY')),
        managementKey: config.needSecret('SLIPWAY_SANDBOX_MANAGEMENT_KEY'),
      },
      webhookAllowHosts: config.webhookAllowHosts,
      webhookAllowCidrs: config.webhookAllowCidrs,
      rate: config.sandboxRate,
      githubKeys: config.githubKeys,
      clientAddresses: config.clientAddresses,
    },
    log,
    lifetime,
  );
}

export async function startApiRole(config: Config, log: Log, lifetime: Lifetime): Promise<void> {
  const { host, ports, trustedProxies } = config;
  const managementPlace = { host, port: ports.sandboxManagement, setting: 'SLIPWAY_SANDBOX_MANAGEMENT_PORT' } as const;
  const apiPlace = { host, port: ports.sandboxApi, setting: 'SLIPWAY_SANDBOX_API_PORT' } as const;
  refuseSharedPorts([managementPlace, apiPlace, ...chosenPlace(config)]);
  const monitoring = await startMonitoring('api', config, log, lifetime);
  const open = await openSandbox(config, log, lifetime);
  const { plane, recorder } = open;
  await monitoring.watchPlane(open);
  const onInternalError = (error: unknown, requestId: string): void => log.error('request', error, { requestId });
  const management = createManagement(
    { ...plane, callApi: createCalls(open, onInternalError) },
    onInternalError,
    monitoring.countRequests('management'),
  );
  const count = monitoring.countRequests('api');
  const api = createSandboxApi(plane, { recorder, trustedProxies, count, onInternalError });
  await listen(management, managementPlace, lifetime);
  await listen(api, apiPlace, lifetime);
  monitoring.ready({ sentRequests: true });
  log.info('The sandbox API is ready.', { api: `${config.sandboxApiUrl}/v1`, managementPort: ports.sandboxManagement });
}

export async function startWorkerRole(config: Config, log: Log, lifetime: Lifetime): Promise<void> {
  const monitoring = await startMonitoring('worker', config, log, lifetime);
  const open = await openSandbox(config, log, lifetime);
  await monitoring.watchPlane(open);
  monitoring.watchDispatcher(await startWorker(open, config, log, lifetime), open.worker);
  monitoring.ready({ sentRequests: false });
  log.info('The sandbox worker is ready.');
}

export async function startConsoleRole(config: Config, log: Log, lifetime: Lifetime): Promise<void> {
  const managementKey = config.needSecret('SLIPWAY_SANDBOX_MANAGEMENT_KEY');
  const link = remoteLink(config.need('SLIPWAY_SANDBOX_MANAGEMENT_URL').replace(/\/$/, ''));
  const consoleSecret = config.needSecret('SLIPWAY_CONSOLE_SECRET');
  const url = config.need('SLIPWAY_CONSOLE_DATABASE_URL');
  const { host, ports } = config;
  const place = { host, port: ports.console, setting: 'SLIPWAY_CONSOLE_PORT' } as const;
  refuseSharedPorts([place, ...chosenPlace(config)]);
  const monitoring = await startMonitoring('console', config, log, lifetime);
  prepareDataDir(config); // for the note with the owner's first link
  const home = await openConsoleDatabase(config, url, { consoleSecret }, log, lifetime);
  await monitoring.watchConsole(home.db, home.pools, config.mail !== undefined);
  const connections = [{ environment: 'sandbox', link, managementKey } as const];
  const app = await createConsole({
    services: consoleServices(config, home, [{ name: 'sandbox', apiUrl: config.sandboxApiUrl, receiverUrl: null }]),
    connections,
    problemsUrl: `${config.sandboxApiUrl}/problems`,
    trustedProxies: config.trustedProxies,
    count: monitoring.countRequests('console'),
    onInternalError: (error, requestId) => log.error('request', error, { requestId }),
  });
  await listen(app, place, lifetime);
  startConsoleJobs(config, home, connections, log, lifetime);
  monitoring.ready({ sentRequests: true });
  await announce('The Console', config, home, undefined, log);
}
