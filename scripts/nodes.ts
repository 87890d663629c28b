// `npm run nodes`: runs Slipway as several nodes on this machine, like on many machines: three of the API, two workers
// and a Console on one Postgres, behind a plain proxy. It accepts the settings of `npm start`; the two ports are the
// proxy's.
import { join } from 'node:path';
import { announceStart, ensureOwner, openConsoleDatabase } from '../server/src/boot/console-runtime.ts';
import { type DatabaseUrls, startDatabases } from '../server/src/boot/databases.ts';
import { receiverHosts, startDemo } from '../server/src/boot/demo.ts';
import { createLifetime, planeOptions, startPlane } from '../server/src/boot/process.ts';
import { type Config, readConfig, refuseHalfDatabases } from '../server/src/config/config.ts';
import { readMasterKeys } from '../server/src/config/master-keys.ts';
import { readPeppers } from '../server/src/config/peppers.ts';
import { readSecrets, type Secrets } from '../server/src/config/secrets.ts';
import { createLog, printFailure } from '../server/src/kit/telemetry/log.ts';
import { startCluster } from './nodes/cluster.ts';

/** Enough for all pools of three API nodes, two workers and a Console, and for inspecting connections. */
const MAX_CONNECTIONS = 300;

const log = createLog(process.stdout.isTTY === true);
const lifetime = createLifetime(log);
async function stop(): Promise<void> {
  await lifetime.stop();
  process.exit(); // with process.exitCode
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());

function environmentOf(config: Config, secrets: Secrets, databases: DatabaseUrls): NodeJS.ProcessEnv {
  const allowed = [...config.webhookAllowHosts, ...(config.isDemo ? receiverHosts(config) : [])];
  return {
    ...process.env,
    SLIPWAY_SHUTDOWN_DELAY_SECONDS: '1',
    SLIPWAY_DATA_DIR: config.dataDir,
    SLIPWAY_CONSOLE_URL: config.consoleUrl,
    SLIPWAY_SANDBOX_API_URL: config.planes.sandbox.apiUrl,
    SLIPWAY_SANDBOX_DATABASE_URL: databases.sandbox,
    SLIPWAY_CONSOLE_DATABASE_URL: databases.console,
    SLIPWAY_SANDBOX_PEPPER: secrets.pepper.reveal(),
    SLIPWAY_SANDBOX_MASTER_KEY: secrets.masterKey.reveal(),
    SLIPWAY_SANDBOX_MANAGEMENT_KEY: secrets.managementKey.reveal(),
    SLIPWAY_CONSOLE_SECRET: secrets.consoleSecret.reveal(),
    SLIPWAY_WEBHOOK_ALLOW_HOSTS: allowed.join(','),
    ...(config.isDemo && { SLIPWAY_DEMO_RECEIVER_URL: `http://localhost:${config.ports.demoReceiver}` }),
  };
}

async function start(): Promise<void> {
  const config = readConfig();
  refuseHalfDatabases(config);
  const secrets = await readSecrets(config);
  const databases = config.databases ?? (await startDatabases(config, secrets, log, lifetime, MAX_CONNECTIONS));
  const { host, ports, planes, dataDir } = config;
  const cluster = await startCluster({
    host,
    ports: { api: planes.sandbox.ports.api, console: ports.console },
    env: () => environmentOf(config, secrets, databases),
    logDir: join(dataDir, 'nodes'),
    onLoss: (sentence) => lifetime.fail(sentence),
  });
  lifetime.onStop(() => cluster.stop());
  await cluster.fill(process.cwd());
  for (const { node } of cluster.members()) log.info(`${node.name} runs.`, { log: node.logFile });
  const home = await openConsoleDatabase(
    config,
    databases.console,
    secrets,
    { log, countJobFailure: () => {} },
    lifetime,
  );
  const owner = await ensureOwner(home, config);
  const demo = config.isDemo
    ? await startDemo(await openPlane(config, secrets, databases), home, owner, config, log, lifetime)
    : undefined;
  await announceStart('Slipway', config, home, demo, log);
}

/** Opens a plane for the demo only: its receiver needs the secrets of the endpoints that send to it. */
function openPlane(config: Config, secrets: Secrets, databases: DatabaseUrls): ReturnType<typeof startPlane> {
  const own = { peppers: readPeppers(config, secrets.pepper), masterKeys: readMasterKeys(config, secrets.masterKey) };
  return startPlane(
    planeOptions(config, 'sandbox', {
      databaseUrl: databases.sandbox,
      docsUrl: config.docsUrl,
      webhookAllowHosts: [...config.webhookAllowHosts, ...receiverHosts(config)],
      secrets: { ...secrets, ...own },
    }),
    log,
    lifetime,
  );
}

try {
  await start();
} catch (error) {
  if (!lifetime.isStopping()) {
    process.exitCode = 1;
    printFailure(`slipway: ${error instanceof Error ? error.message : error}`);
  }
  await stop();
}
