// Console and sandbox in one process: on an embedded Postgres, or on the two that the operator names.
import { join } from 'node:path';
import { createSandboxApi } from './api.ts';
import { createCalls } from './calls.ts';
import { type Config, ConfigError, refuseHalfDatabases } from './config.ts';
import { createConsole } from './console.ts';
import {
  announce,
  type ConsoleHome,
  consoleServices,
  ensureOwner,
  type Owner,
  openConsoleDatabase,
  startConsoleJobs,
} from './console-home.ts';
import { startEmbeddedPostgres } from './embedded/index.ts';
import { startDemoReceiver } from './features/demo/index.ts';
import { localLink } from './features/environments/index.ts';
import { type NewDemo, seedDemo } from './features/first-run/index.ts';
import { listSigningSecrets } from './features/webhooks/index.ts';
import type { Log } from './kit/log.ts';
import type { Secret } from './kit/secret.ts';
import { createManagement } from './management.ts';
import { readMasterKeys } from './master-keys.ts';
import { chosenPlace, type Monitoring, startMonitoring } from './monitoring.ts';
import { readPeppers } from './peppers.ts';
import type { OpenPlane } from './plane.ts';
import { type Lifetime, listen, refuseSharedPorts, refuseTakenPorts, startPlane } from './process.ts';
import { PLANE_ROLES, provision } from './provision.ts';
import { readSecrets, type Secrets } from './secrets.ts';
import { startWorker } from './worker.ts';

interface Databases {
  sandbox: string;
  console: string;
}

export async function startAllInOne(config: Config, log: Log, lifetime: Lifetime): Promise<void> {
  refuseHalfDatabases(config);
  refuseSharedPorts([...placesOf(config), ...chosenPlace(config)]);
  const monitoring = await startMonitoring('all', config, log, lifetime);
  const secrets = await explained(readSecrets(config));
  const databases = config.databases ?? (await startDatabases(config, secrets, log, lifetime));
  const receiverHost = `127.0.0.1:${config.ports.demoReceiver}`;
  const webhookAllowHosts = [...config.webhookAllowHosts, ...(config.isDemo ? [receiverHost] : [])];
  const { webhookAllowCidrs } = config;
  const open = await startPlane(
    {
      environment: 'sandbox',
      databaseUrl: databases.sandbox,
      publicUrl: config.sandboxApiUrl,
      secrets: {
        ...secrets,
        peppers: readPeppers(config, secrets.pepper),
        masterKeys: readMasterKeys(config, secrets.masterKey),
      },
      webhookAllowHosts,
      webhookAllowCidrs,
      rate: config.sandboxRate,
      githubKeys: config.githubKeys,
      clientAddresses: config.clientAddresses,
    },
    log,
    lifetime,
  );
  const home = await openConsoleDatabase(config, databases.console, secrets, log, lifetime);
  await monitoring.watchPlane(open);
  await monitoring.watchConsole(home.db, home.pools, config.mail !== undefined);
  const owner = await ensureOwner(home, config);
  await refuseTakenPorts(placesOf(config));
  const demo = config.isDemo ? await startDemo(open, home, owner, receiverHost, config, log, lifetime) : undefined;
  const { retention } = config;
  const outwards = { webhookAllowHosts, webhookAllowCidrs, retention };
  monitoring.watchDispatcher(await startWorker(open, outwards, log, lifetime), open.worker);
  await startListeners(config, open, home, secrets, monitoring, log, lifetime);
  monitoring.ready();
  await announce('Slipway', config, home, demo, log);
}

function placesOf({ host, ports, isDemo }: Config): Parameters<typeof refuseTakenPorts>[0] {
  return [
    { host, port: ports.sandboxApi, setting: 'SLIPWAY_SANDBOX_API_PORT' },
    { host, port: ports.console, setting: 'SLIPWAY_CONSOLE_PORT' },
    ...(isDemo
      ? [{ host: '127.0.0.1', port: ports.demoReceiver, setting: 'SLIPWAY_DEMO_RECEIVER_PORT' } as const]
      : []),
  ];
}

// What keeps a part from starting it says in a sentence; an error of the system has a code and keeps its stack.
async function explained<T>(start: Promise<T>): Promise<T> {
  return start.catch((error: unknown) => {
    const isSentence = error instanceof Error && error.constructor === Error && !('code' in error);
    throw isSentence ? new ConfigError(error.message, { cause: error }) : error;
  });
}

async function startDatabases(config: Config, secrets: Secrets, log: Log, lifetime: Lifetime): Promise<Databases> {
  const starting = explained(startEmbeddedPostgres({ dataDir: config.dataDir, log: (message) => log.info(message) }));
  // Remembered before it runs: a signal in the middle of the start must leave no Postgres behind.
  lifetime.onStop(() =>
    starting.then(
      (started) => started.stop(),
      () => {},
    ),
  );
  const postgres = await starting;
  void postgres.exited.then(() => {
    lifetime.fail(`The embedded Postgres has ended. Why is in ${join(config.dataDir, 'postgres.log')}.`);
  });
  const { sandboxDatabasePassword, consoleDatabasePassword } = secrets;
  await provision(postgres.connection('postgres', postgres.superuserPassword, 'postgres'), [
    { name: 'slipway_sandbox', password: sandboxDatabasePassword, roles: PLANE_ROLES },
    { name: 'slipway_console', password: consoleDatabasePassword, roles: [] },
  ]);
  return {
    sandbox: postgres.connection('slipway_sandbox', sandboxDatabasePassword.reveal(), 'slipway_sandbox'),
    console: postgres.connection('slipway_console', consoleDatabasePassword.reveal(), 'slipway_console'),
  };
}

async function startDemo(
  open: OpenPlane,
  home: ConsoleHome,
  owner: Owner,
  receiverHost: string,
  config: Config,
  log: Log,
  lifetime: Lifetime,
): Promise<{ receiverUrl: string; fresh: NewDemo | undefined }> {
  const hookUrl = `http://${receiverHost}/hooks`;
  const { fresh } = await seedDemo(home.db, open.plane, owner.person, hookUrl);
  const secrets = (): Promise<Secret[]> => listSigningSecrets(open.worker, hookUrl, open.plane.masterKeys);
  const port = config.ports.demoReceiver;
  const receiver = await explained(
    startDemoReceiver({ host: '127.0.0.1', port, secrets, log: (line) => log.info('receiver', line) }),
  );
  lifetime.onStop(() => receiver.close());
  return { receiverUrl: `http://localhost:${port}`, fresh };
}

async function startListeners(
  config: Config,
  open: OpenPlane,
  home: ConsoleHome,
  secrets: Secrets,
  monitoring: Monitoring,
  log: Log,
  lifetime: Lifetime,
): Promise<void> {
  const { plane, recorder } = open;
  const { host, ports, trustedProxies } = config;
  const onInternalError = (error: unknown, requestId: string): void => log.error('request', error, { requestId });
  const count = monitoring.countRequests('api');
  const api = createSandboxApi(plane, { recorder, trustedProxies, count, onInternalError });
  const management = createManagement(
    { ...plane, callApi: createCalls(open, onInternalError) },
    onInternalError,
    monitoring.countRequests('management'),
  );
  lifetime.onStop(() => management.close());
  const receiverUrl = config.isDemo ? `http://localhost:${ports.demoReceiver}` : null;
  const link = localLink(management);
  const connections = [{ environment: 'sandbox', link, managementKey: secrets.managementKey } as const];
  const consoleApp = await createConsole({
    services: consoleServices(config, home, [{ name: 'sandbox', apiUrl: config.sandboxApiUrl, receiverUrl }]),
    connections,
    problemsUrl: plane.problemsUrl,
    trustedProxies,
    count: monitoring.countRequests('console'),
    onInternalError,
  });
  await listen(api, { host, port: ports.sandboxApi, setting: 'SLIPWAY_SANDBOX_API_PORT' }, lifetime);
  await listen(consoleApp, { host, port: ports.console, setting: 'SLIPWAY_CONSOLE_PORT' }, lifetime);
  startConsoleJobs(config, home, connections, log, lifetime);
}
