// The parts of every role's process: a lifetime that stops its parts in reverse order, and listeners that explain a
// taken port. Also starts a plane.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Environment, PlaneSecrets } from '../access/authority/index.ts';
import { contract, isOperatorContract } from '../access/contracts/index.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { cursorKeysOf } from '../config/master-keys.ts';
import { PACKAGE_FOLDER } from '../config/package-folder.ts';
import { settingOf } from '../config/plane-settings.ts';
import type { SettingName } from '../config/settings.ts';
import { type Database, DatabaseUnavailable, isUnavailable } from '../kit/db/db.ts';
import { inspectMigrations, type Migration, migrate, readMigrations, SchemaMismatch } from '../kit/db/migrate.ts';
import { poolerFixOf } from '../kit/db/primary.ts';
import { type Log, printFailure } from '../kit/telemetry/log.ts';
import { adoptContract } from '../platform/contract-versions/index.ts';
import { readSigningKeys, type SigningKeys } from '../tenancy/keys/index.ts';
import { findMissingMasterKey, type MissingMasterKey } from '../webhooks/webhooks/index.ts';
import { type OpenPlane, openPlane, type PlaneOptions } from './plane.ts';
import { claimDatabase, findPrivilegedRole } from './provision.ts';

export interface Lifetime {
  /** Registers how to stop a part that has been started. */
  onStop(stop: () => Promise<unknown>): void;
  /** Stops everything, last started first. A second call waits for the first. */
  stop(): Promise<void>;
  isStopping(): boolean;
  /** Ends the process because an essential part has ended. Does nothing during a shutdown. */
  fail(sentence: string): void;
}

export function createLifetime(log: Log): Lifetime {
  const stops: (() => Promise<unknown>)[] = [];
  let stopping: Promise<void> | undefined;
  async function stopAll(): Promise<void> {
    for (let stop = stops.pop(); stop; stop = stops.pop()) {
      await stop().catch((error: unknown) =>
        log.error('process.stop_failed: A part of the process did not stop cleanly.', error),
      );
    }
  }
  const lifetime: Lifetime = {
    onStop: (stop) => stops.push(stop),
    stop() {
      stopping ??= stopAll();
      return stopping;
    },
    isStopping: () => stopping !== undefined,
    fail(sentence) {
      if (stopping) return;
      printFailure(`slipway: ${sentence}`);
      process.exitCode = 1;
      void lifetime.stop().then(() => process.exit());
    },
  };
  return lifetime;
}

/** The address of a listener, and the settings that change it. */
export interface ListenerAddress {
  host: string;
  port: number;
  setting: SettingName;
  /** SLIPWAY_HOST if absent. */
  hostSetting?: SettingName;
}

/** Converts an error of listening to a sentence that names the setting, if that helps. */
function explainListenError(error: unknown, at: ListenerAddress): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    const sentence = `Port ${at.port} on ${at.host} is taken. Choose another with ${at.setting}.`;
    return new ConfigError(sentence, { cause: error });
  }
  if (code === 'EACCES')
    return new ConfigError(
      `The system does not allow Slipway to open port ${at.port}. Choose another with ${at.setting}.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ConfigError(
      `${at.host} is not an address of this machine. Choose another with ${at.hostSetting ?? 'SLIPWAY_HOST'}.`,
    );
  }
  return error;
}

/** Returns whether another process listens on the port of this listener. */
export function isTakenPort(error: unknown): boolean {
  const cause = error instanceof ConfigError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}

/** Refuses two listeners on one port, before anything is started. Port 0 means any free port. */
export function refuseSharedPorts(addresses: readonly ListenerAddress[]): void {
  for (const [index, { port, setting }] of addresses.entries()) {
    const other = port === 0 ? undefined : addresses.slice(0, index).find((address) => address.port === port);
    if (other)
      throw new ConfigError(`${other.setting} and ${setting} are both ${port}. Choose another for one of them.`);
  }
}

/** Refuses taken ports before anything is created that can be shown only once. */
export async function refuseTakenPorts(addresses: readonly ListenerAddress[]): Promise<void> {
  for (const address of addresses) {
    const server = createServer().listen(address.port, address.host);
    await once(server, 'listening').catch((error: unknown) => {
      throw explainListenError(error, address);
    });
    server.close();
    await once(server, 'close');
  }
}

export async function listen(app: FastifyInstance, at: ListenerAddress, lifetime: Lifetime): Promise<void> {
  lifetime.onStop(() => app.close());
  await app.listen({ host: at.host, port: at.port }).catch((error: unknown) => {
    throw explainListenError(error, at);
  });
}

/** The secrets that settings contain. The key of cursors is derived from them. */
type RoleSecrets = Omit<PlaneSecrets, 'cursorKey'>;

const MIGRATIONS = new URL('migrations/', PACKAGE_FOLDER);

/**
 * Returns the handler for errors of idle connections. The handler logs only the message, because the driver attaches
 * the whole connection, including its key, to the error. Errors during a shutdown are ignored: the driver does not wait
 * for its connections to be closed, and Postgres may be faster.
 */
export function databaseErrors(log: Log, lifetime: Lifetime): (error: unknown) => void {
  return (error) => {
    if (lifetime.isStopping() && isUnavailable(error)) return;
    log.error(
      'database.connection_failed: An idle connection to the database failed.',
      error instanceof Error ? error.message || error.name : error,
    );
  };
}

/** Returns the migrations of this version. */
export const requiredMigrations = (kind: 'plane' | 'console'): Promise<Migration[]> =>
  readMigrations(fileURLToPath(new URL(kind, MIGRATIONS)));

export const requiredSchemaVersion = async (kind: 'plane' | 'console'): Promise<number> =>
  (await requiredMigrations(kind)).length;

/**
 * Migrates a database to the newest migration, or to this number. A database that is unreachable or refuses the login
 * is reported as an error of the setting.
 */
export function migrateDatabase(
  kind: 'plane' | 'console',
  url: string,
  setting: SettingName,
  upTo?: number,
): Promise<string[]> {
  return withSettingErrors(setting, () => migrate(url, fileURLToPath(new URL(kind, MIGRATIONS)), upTo));
}

/** Returns the migrations that a start would apply. Changes nothing. */
export function inspectSchema(
  kind: 'plane' | 'console',
  url: string,
  setting: SettingName,
): ReturnType<typeof inspectMigrations> {
  return withSettingErrors(setting, () => inspectMigrations(url, fileURLToPath(new URL(kind, MIGRATIONS))));
}

/** Throws a ConfigError unless a connection of the pool can be opened. */
export async function requireConnection(db: Database, setting: SettingName): Promise<void> {
  await withSettingErrors(setting, () => db.transaction(async () => {}));
}

async function withSettingErrors<T>(setting: SettingName, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (caught) {
    const error = caught instanceof DatabaseUnavailable ? caught.cause : caught;
    const isFatal = !(error instanceof Error) || error instanceof SchemaMismatch || error.cause !== undefined;
    if (isFatal) throw error;
    const message = error.message || ('code' in error ? error.code : error.name);
    const fix = poolerFixOf(error);
    const reason = fix === undefined ? message : `${message}. ${fix}`;
    throw new ConfigError(`The database that ${setting} names cannot be used: ${reason}`, { cause: error });
  }
}

export function readGithubKeys(json: string | undefined): SigningKeys {
  try {
    return json === undefined ? new Map() : readSigningKeys(json);
  } catch (error) {
    throw new ConfigError(`SLIPWAY_GITHUB_KEYS cannot be used: ${error instanceof Error ? error.message : error}`);
  }
}

// Values under a missing master key could neither be sent nor shown.
async function refuseMissingMasterKey({ worker, plane }: OpenPlane): Promise<void> {
  const missing = await findMissingMasterKey(worker, plane.secrets.masterKeys);
  if (missing) throw new ConfigError(explainMasterKey(missing, plane.environment));
}

export function explainMasterKey({ masterKey, values, reason }: MissingMasterKey, environment: Environment): string {
  const version = masterKey.slice(1);
  const what = `${values} ${values === 1 ? 'value is' : 'values are'} sealed under master key ${version}`;
  const fix = `docs/operate/rotate-secrets.md describes the rotation.`;
  if (reason === 'another') return `${what}, and what the settings give as ${version} is another. ${fix}`;
  return `${what}, which no setting names. Add it to ${settingOf(environment, 'OTHER_MASTER_KEYS')} as ${version}:<key>. ${fix}`;
}

/** Returns why an environment does not start on a database; undefined if the database is its own or unclaimed. */
export function explainForeignDatabase(owner: Environment | undefined, environment: Environment): string | undefined {
  if (owner === undefined || owner === environment) return undefined;
  return `The database that ${settingOf(environment, 'DATABASE_URL')} names belongs to the other environment, ${owner}. Each environment requires a database of its own.`;
}

/** Values of an environment that a role reads on its own: its place and its secrets. */
interface RolePlaneOptions {
  databaseUrl: string;
  docsUrl: string | undefined;
  secrets: RoleSecrets;
  webhookAllowHosts: readonly string[];
}

/** Adds the settings of an environment that are the same in every role. */
export function planeOptions(config: Config, environment: Environment, placed: RolePlaneOptions): PlaneStartOptions {
  const { apiUrl, rate, keyDays, statusLeaseSeconds, records } = config.planes[environment];
  const { webhookAllowCidrs, githubKeys, clientAddresses } = config;
  return {
    environment,
    ...placed,
    publicUrl: apiUrl,
    rate,
    maxKeyDays: keyDays,
    statusLeaseSeconds,
    records,
    webhookAllowCidrs,
    githubKeys,
    clientAddresses,
  };
}

/** Options of a plane as the settings give them: secrets in one object, and GitHub's keys as text. */
type PlaneStartOptions = Omit<PlaneOptions, keyof PlaneSecrets | 'githubKeys' | 'onError'> & {
  secrets: RoleSecrets;
  githubKeys: string | undefined;
};

/** Migrates and opens an environment's database, and claims it. */
export async function startPlane(options: PlaneStartOptions, log: Log, lifetime: Lifetime): Promise<OpenPlane> {
  const { secrets, githubKeys, ...rest } = options;
  const signingKeys = readGithubKeys(githubKeys);
  const { environment, databaseUrl } = options;
  const setting = settingOf(environment, 'DATABASE_URL');
  const applied = await migrateDatabase('plane', databaseUrl, setting);
  if (applied.length > 0)
    log.info('database.migrated: Migrations were applied to the database.', { environment, migrations: applied });
  const other = explainForeignDatabase(await claimDatabase(databaseUrl, environment), environment);
  if (other !== undefined) throw new ConfigError(other);
  const conflict = await adoptContract(databaseUrl, isOperatorContract ? contract : undefined);
  if (conflict !== undefined) throw new ConfigError(conflict);
  const privilegedRole = await findPrivilegedRole(databaseUrl);
  if (privilegedRole !== undefined)
    throw new ConfigError(`${privilegedRole} docs/operate/install.md has the statements that create the roles.`);
  const open = openPlane({
    ...rest,
    peppers: secrets.peppers,
    masterKeys: secrets.masterKeys,
    cursorKey: cursorKeysOf(secrets.masterKeys, environment),
    managementKey: secrets.managementKey,
    githubKeys: signingKeys,
    onError: databaseErrors(log, lifetime),
  });
  lifetime.onStop(() => open.close());
  await requireConnection(open.worker, setting);
  await Promise.all([refuseMissingMasterKey(open), open.warm()]);
  return open;
}
