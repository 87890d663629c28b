// `slipway-server check`: reports everything that would prevent a role from starting with this configuration. The
// command changes nothing.

import { type Environment, findPlaneGate } from '../access/authority/index.ts';
import { type Databases, findRunning } from '../boot/databases.ts';
import { explainMasterKey, lookAtSchema, readGithubKeys, refuseOther } from '../boot/process.ts';
import { claimDatabase, findMissingRoles, refuseMightyRoles } from '../boot/provision.ts';
import { explainUndeclaredProxy, findUndeclaredProxy, PROXY_FIX } from '../boot/undeclared-proxy.ts';
import {
  type Config,
  ConfigError,
  refuseHalfDatabases,
  refuseOtherCredentials,
  refuseProduction,
} from '../config/config.ts';
import { readMasterKeys } from '../config/master-keys.ts';
import { readPeppers } from '../config/peppers.ts';
import { settingOf } from '../config/plane-settings.ts';
import { findSecrets } from '../config/secrets.ts';
import type { SettingName } from '../config/settings.ts';
import { withDatabase } from '../kit/db/db-brief.ts';
import { findConsoleGate } from '../platform/restore-gate/index.ts';
import { findMissingMasterKey } from '../webhooks/webhooks/index.ts';
import { type Finding, fail, look, ok, warn } from './command.ts';

export type Role = 'all' | 'api' | 'worker' | 'console';

const OF_PLANE = ['DATABASE_URL', 'PEPPER', 'MASTER_KEY', 'MANAGEMENT_KEY'] as const;
const ofPlane = (environment: Environment): SettingName[] => OF_PLANE.map((name) => settingOf(environment, name));
const forConsole = (environment: Environment): SettingName[] =>
  (['MANAGEMENT_KEY', 'MANAGEMENT_URL'] as const).map((name) => settingOf(environment, name));

function needsOf(role: Role, environment: Environment, { productionSettings }: Config): SettingName[] {
  if (role === 'all') return [];
  if (role !== 'console') return ofPlane(environment);
  const ofProduction = productionSettings.length > 0 ? forConsole('production') : [];
  return ['SLIPWAY_CONSOLE_DATABASE_URL', 'SLIPWAY_CONSOLE_SECRET', ...forConsole('sandbox'), ...ofProduction];
}

const MIN_POSTGRES = 15;
const ROLES_MEND = 'docs/operate/install.md has the statements that create the roles.';

export async function check(
  role: Role,
  config: Config,
  environment: Environment = 'sandbox',
): Promise<readonly Finding[]> {
  const settings = await look(async () => [
    ...(await checkSettings(role, environment, config)),
    ...checkProxy(role, environment, config),
  ]);
  const databases = await databasesOf(config);
  const isGiven = config.databases !== undefined;
  if (!databases) {
    return role === 'all' && !isGiven
      ? [...settings, ok('The embedded Postgres is not running: its databases were not checked.')]
      : settings;
  }
  const plane =
    role === 'console' ? [] : await look(() => checkPlane(config, environment, databases[environment] ?? ''));
  const hasConsole = role === 'all' || role === 'console';
  const ofConsole = hasConsole ? await look(() => checkDatabase('console', databases.console)) : [];
  return [...settings, ...plane, ...ofConsole];
}

async function databasesOf(config: Config): Promise<(Databases & { production?: string }) | undefined> {
  return config.databases ?? (await findRunning(config).catch(() => undefined));
}

/** Reports all missing settings; a start stops at the first one. */
async function checkSettings(role: Role, environment: Environment, config: Config): Promise<Finding[]> {
  const { secrets, rotation } = await findSecrets(config, environment);
  const tries: (() => unknown)[] = [
    ...needsOf(role, environment, config).map((name) => () => config.need(name)),
    () => role === 'all' && refuseProduction(config),
    () => role === 'all' && refuseHalfDatabases(config),
    () => (role === 'api' || role === 'worker') && refuseOtherCredentials(config, environment),
    () => role === 'api' && environment === 'production' && config.needUpstream(),
    () => secrets.pepper && readPeppers(rotation, secrets.pepper, environment),
    () => secrets.masterKey && readMasterKeys(rotation, secrets.masterKey, environment),
    () => readGithubKeys(config.githubKeys),
  ];
  const wrong = tries.flatMap((attempt) => {
    try {
      attempt();
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return [fail(error.message)];
      throw error;
    }
  });
  return wrong.length > 0 ? wrong : [ok('The settings are complete.')];
}

function checkProxy(role: Role, environment: Environment, config: Config): Finding[] {
  const url = findUndeclaredProxy(role, environment, config);
  return url === undefined ? [] : [warn(explainUndeclaredProxy(url), PROXY_FIX)];
}

const NAMES = {
  sandbox: "The sandbox's database",
  production: "Production's database",
  console: "The Console's database",
};

async function checkDatabase(of: Environment | 'console', url: string): Promise<Finding[]> {
  if (url === '') return []; // reported as missing
  const setting = of === 'console' ? 'SLIPWAY_CONSOLE_DATABASE_URL' : settingOf(of, 'DATABASE_URL');
  const { pending, postgres } = await lookAtSchema(of === 'console' ? 'console' : 'plane', url, setting);
  const name = NAMES[of];
  if (postgres < MIN_POSTGRES)
    return [fail(`${name} is Postgres ${postgres}.`, `Version ${MIN_POSTGRES} or newer is required.`)];
  if (pending.length === 0) return [ok(`${name} is up to date.`), ...(await checkGate(of, url))];
  return [ok(`${name} can be reached; a start applies ${pending.length} migrations, from ${pending[0]} on.`)];
}

async function checkGate(of: Environment | 'console', url: string): Promise<Finding[]> {
  const closed = await withDatabase({ url }, (db) => (of === 'console' ? findConsoleGate(db) : findPlaneGate(db)));
  if (closed === null) return [];
  const why =
    closed === 'restored'
      ? 'was restored'
      : 'has gone back in time: it lacks a state that another database has confirmed';
  const option = of === 'production' ? ' --environment production' : '';
  return [
    warn(
      `${NAMES[of]} ${why}. The restore gate is closed: every call is answered 503.`,
      `Run \`slipway-server reopen${option}\`.`,
    ),
  ];
}

async function checkPlane(config: Config, environment: Environment, url: string): Promise<readonly Finding[]> {
  const found = await checkDatabase(environment, url);
  if (url === '' || found.some(({ level }) => level === 'fail')) return found;
  const missing = await findMissingRoles(url);
  if (missing.length > 0) {
    return [...found, fail(`Its login cannot play ${missing.join(', ')}.`, ROLES_MEND)];
  }
  const mighty = await refuseMightyRoles(url);
  const roles =
    mighty === undefined ? ok('The database roles are limited to one tenant each.') : fail(mighty, ROLES_MEND);
  return [...found, roles, ...(await look(() => checkClaimed(config, environment, url)))];
}

async function checkClaimed(config: Config, environment: Environment, url: string): Promise<Finding[]> {
  const { secrets, rotation } = await findSecrets(config, environment);
  const masterKeys = secrets.masterKey && readMasterKeys(rotation, secrets.masterKey, environment);
  const { pending } = await lookAtSchema('plane', url, settingOf(environment, 'DATABASE_URL'));
  // The sealed values and the owner of the database can be read only after the tables exist.
  if (pending.length > 0) return [];
  const other = refuseOther(await claimDatabase(url, undefined), environment);
  if (other !== undefined) return [fail(other)];
  if (!masterKeys) return [];
  const missing = await withDatabase({ url, role: 'slipway_worker' }, (db) => findMissingMasterKey(db, masterKeys));
  return [missing ? fail(explainMasterKey(missing, environment)) : ok('All sealed values can be opened.')];
}
