// The two databases of an installation: those in the settings, or those of the Postgres in the data folder. That
// Postgres is started if it is not running.
import { join } from 'node:path';
import { type Config, ConfigError } from '../config/config.ts';
import { findSecrets, type Secrets } from '../config/secrets.ts';
import { runningPort, startEmbeddedPostgres } from '../embedded/index.ts';
import type { Log } from '../kit/telemetry/log.ts';
import type { Lifetime } from './process.ts';
import { PLANE_ROLES, provision } from './provision.ts';

export interface DatabaseUrls {
  sandbox: string;
  console: string;
}

// An error without a code is a sentence for the operator. A system error has a code and keeps its stack.
export async function withConfigErrors<T>(start: Promise<T>): Promise<T> {
  return start.catch((error: unknown) => {
    const isSentence = error instanceof Error && error.constructor === Error && !('code' in error);
    throw isSentence ? new ConfigError(error.message, { cause: error }) : error;
  });
}

type Passwords = Pick<Secrets, 'sandboxDatabasePassword' | 'consoleDatabasePassword'>;

export async function startDatabases(
  config: Config,
  secrets: Passwords,
  log: Log,
  lifetime: Lifetime,
  maxConnections?: number,
): Promise<DatabaseUrls> {
  const starting = withConfigErrors(
    startEmbeddedPostgres({
      dataDir: config.dataDir,
      log: (message) => log.info(message),
      ...(maxConnections !== undefined && { maxConnections }),
    }),
  );
  // Registered before it runs, so that a signal during the start leaves no Postgres behind.
  lifetime.onStop(() =>
    starting.then(
      (started) => started.stop(),
      () => {},
    ),
  );
  const postgres = await starting;
  void postgres.exited.then(() => {
    lifetime.fail(`The embedded Postgres has ended. The reason is in ${join(config.dataDir, 'postgres.log')}.`);
  });
  const { sandboxDatabasePassword, consoleDatabasePassword } = secrets;
  await provision(postgres.connection('postgres', postgres.superuserPassword, 'postgres'), [
    { name: 'slipway_sandbox', password: sandboxDatabasePassword, roles: PLANE_ROLES },
    { name: 'slipway_console', password: consoleDatabasePassword, roles: [] },
  ]);
  return embeddedUrls(postgres.port, secrets);
}

function embeddedUrls(port: number, { sandboxDatabasePassword, consoleDatabasePassword }: Passwords): DatabaseUrls {
  const urlOf = (name: string, password: string): string =>
    `postgres://${name}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}?sslmode=disable`;
  return {
    sandbox: urlOf('slipway_sandbox', sandboxDatabasePassword.reveal()),
    console: urlOf('slipway_console', consoleDatabasePassword.reveal()),
  };
}

/**
 * Returns the databases for a command: those in the settings, even if there is only one. Otherwise those of the data
 * folder, whether a Slipway is running on it or not.
 */
export async function resolveDatabases(
  config: Config,
  log: Log,
  lifetime: Lifetime,
): Promise<Partial<DatabaseUrls & { production: string }>> {
  if (config.databases) {
    const { sandbox, production, console } = config.databases;
    return {
      ...(sandbox !== '' && { sandbox }),
      ...(production !== '' && { production }),
      ...(console !== '' && { console }),
    };
  }
  return (await findRunningDatabases(config)) ?? startDatabases(config, await requirePasswords(config), log, lifetime);
}

/** Returns the databases of the data folder while a Slipway is running on it. */
export async function findRunningDatabases(config: Config): Promise<DatabaseUrls | undefined> {
  const port = runningPort(config.dataDir);
  return port === undefined ? undefined : embeddedUrls(port, await requirePasswords(config));
}

async function requirePasswords(config: Config): Promise<Passwords> {
  const { sandboxDatabasePassword, consoleDatabasePassword } = (await findSecrets(config)).secrets;
  if (sandboxDatabasePassword && consoleDatabasePassword) return { sandboxDatabasePassword, consoleDatabasePassword };
  throw new ConfigError(
    `There is no installation in ${config.dataDir}, and no setting names its databases. Set SLIPWAY_DATA_DIR or SLIPWAY_SANDBOX_DATABASE_URL.`,
  );
}
