// `slipway-server check`: reports everything that would prevent a role from starting with this configuration. The
// command changes nothing.

import { type Environment, findPlaneGate } from '../access/authority/index.ts';
import { contract, isOperatorContract, productionErrors } from '../access/contracts/index.ts';
import { type DatabaseUrls, findRunningDatabases } from '../boot/databases.ts';
import { explainForeignDatabase, explainMasterKey, inspectSchema, readGithubKeys } from '../boot/process.ts';
import { claimDatabase, findMissingRoles, findPrivilegedRole } from '../boot/provision.ts';
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
import { withDatabase } from '../kit/db/short-lived-database.ts';
import { adoptContract } from '../platform/contract-versions/index.ts';
import { findConsoleGate } from '../platform/restore-gate/index.ts';
import { findMissingMasterKey } from '../webhooks/webhooks/index.ts';
import { readReplication } from './check-store.ts';
import { type CheckResult, fail, ok, runCheck, warn } from './command.ts';
import { explainAsynchronous, explainMinority } from './synchronous-standbys.ts';

export type ProcessRole = 'all' | 'api' | 'worker' | 'console';

const PLANE_SETTINGS = ['DATABASE_URL', 'PEPPER', 'MASTER_KEY', 'MANAGEMENT_KEY'] as const;
const planeSettingsOf = (environment: Environment): SettingName[] =>
  PLANE_SETTINGS.map((name) => settingOf(environment, name));
const consoleSettingsOf = (environment: Environment): SettingName[] =>
  (['MANAGEMENT_KEY', 'MANAGEMENT_URL'] as const).map((name) => settingOf(environment, name));

function requiredSettingsOf(
  role: ProcessRole,
  environment: Environment,
  { productionSettings }: Config,
): SettingName[] {
  if (role === 'all') return [];
  if (role !== 'console') return planeSettingsOf(environment);
  const ofProduction = productionSettings.length > 0 ? consoleSettingsOf('production') : [];
  return ['SLIPWAY_CONSOLE_DATABASE_URL', 'SLIPWAY_CONSOLE_SECRET', ...consoleSettingsOf('sandbox'), ...ofProduction];
}

const MIN_POSTGRES = 15;
const ROLES_FIX = 'docs/operate/install.md has the statements that create the roles.';

export async function check(
  role: ProcessRole,
  config: Config,
  environment: Environment = 'sandbox',
): Promise<readonly CheckResult[]> {
  const settings = await runCheck(async () => [
    ...(await checkSettings(role, environment, config)),
    ...checkProductionContract(role, environment),
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
    role === 'console' ? [] : await runCheck(() => checkPlane(config, environment, databases[environment] ?? ''));
  const hasConsole = role === 'all' || role === 'console';
  const ofConsole = hasConsole ? await runCheck(() => checkDatabase('console', databases.console)) : [];
  return [...settings, ...plane, ...ofConsole];
}

async function databasesOf(config: Config): Promise<(DatabaseUrls & { production?: string }) | undefined> {
  return config.databases ?? (await findRunningDatabases(config).catch(() => undefined));
}

/** Reports all missing settings; a start stops at the first one. */
async function checkSettings(role: ProcessRole, environment: Environment, config: Config): Promise<CheckResult[]> {
  const { secrets, rotation } = await findSecrets(config, environment);
  const tries: (() => unknown)[] = [
    ...requiredSettingsOf(role, environment, config).map((name) => () => config.need(name)),
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

/** Reports the parts of the contract for which production refuses to start. */
function checkProductionContract(role: ProcessRole, environment: Environment): CheckResult[] {
  if ((role !== 'api' && role !== 'worker') || environment !== 'production') return [];
  return productionErrors(contract).map((error) => fail(error, 'docs/operate/contracts.md describes production.'));
}

function checkProxy(role: ProcessRole, environment: Environment, config: Config): CheckResult[] {
  const url = findUndeclaredProxy(role, environment, config);
  return url === undefined ? [] : [warn(explainUndeclaredProxy(url), PROXY_FIX)];
}

const NAMES = {
  sandbox: "The sandbox's database",
  production: "Production's database",
  console: "The Console's database",
};

async function checkDatabase(of: Environment | 'console', url: string): Promise<CheckResult[]> {
  if (url === '') return []; // reported as missing
  const setting = of === 'console' ? 'SLIPWAY_CONSOLE_DATABASE_URL' : settingOf(of, 'DATABASE_URL');
  const { pending, postgres } = await inspectSchema(of === 'console' ? 'console' : 'plane', url, setting);
  const name = NAMES[of];
  if (postgres < MIN_POSTGRES)
    return [fail(`${name} is Postgres ${postgres}.`, `Version ${MIN_POSTGRES} or newer is required.`)];
  const replication = await checkReplication(name, url);
  if (pending.length === 0) return [ok(`${name} is up to date.`), ...replication, ...(await checkGate(of, url))];
  return [
    ok(`${name} can be reached; a start applies ${pending.length} migrations, from ${pending[0]} on.`),
    ...replication,
  ];
}

const REPLICATION_FIX = 'docs/operate/high-availability.md describes the supported replication.';

async function checkReplication(name: string, url: string): Promise<CheckResult[]> {
  const replication = await withDatabase({ url }, readReplication);
  return [explainMinority(replication), explainAsynchronous(replication)].flatMap((sentence) =>
    sentence === undefined ? [] : [warn(`${name}: ${sentence}`, REPLICATION_FIX)],
  );
}

async function checkGate(of: Environment | 'console', url: string): Promise<CheckResult[]> {
  const closed = await withDatabase({ url }, (db) => (of === 'console' ? findConsoleGate(db) : findPlaneGate(db)));
  if (closed === null) return [];
  const reason =
    closed === 'restored'
      ? 'was restored'
      : 'has gone back in time: it lacks a state that another database has confirmed';
  const option = of === 'production' ? ' --environment production' : '';
  return [
    warn(
      `${NAMES[of]} ${reason}. The restore gate is closed: every call is answered 503.`,
      `Run \`slipway-server reopen${option}\`.`,
    ),
  ];
}

async function checkPlane(config: Config, environment: Environment, url: string): Promise<readonly CheckResult[]> {
  const found = await checkDatabase(environment, url);
  if (url === '' || found.some(({ level }) => level === 'fail')) return found;
  const missing = await findMissingRoles(url);
  if (missing.length > 0) {
    return [...found, fail(`Its login cannot play ${missing.join(', ')}.`, ROLES_FIX)];
  }
  const privilegedRole = await findPrivilegedRole(url);
  const roles =
    privilegedRole === undefined
      ? ok('The database roles are limited to one tenant each.')
      : fail(privilegedRole, ROLES_FIX);
  return [...found, roles, ...(await runCheck(() => checkOwnership(config, environment, url)))];
}

async function checkOwnership(config: Config, environment: Environment, url: string): Promise<CheckResult[]> {
  const { secrets, rotation } = await findSecrets(config, environment);
  const masterKeys = secrets.masterKey && readMasterKeys(rotation, secrets.masterKey, environment);
  const { pending } = await inspectSchema('plane', url, settingOf(environment, 'DATABASE_URL'));
  // The sealed values and the owner of the database can be read only after the tables exist.
  if (pending.length > 0) return [];
  const other = explainForeignDatabase(await claimDatabase(url, undefined), environment);
  if (other !== undefined) return [fail(other)];
  const conflict = await adoptContract(url, isOperatorContract ? contract : undefined, { isReadOnly: true });
  if (conflict !== undefined) return [fail(conflict)];
  if (!masterKeys) return [];
  const missing = await withDatabase({ url, role: 'slipway_worker' }, (db) => findMissingMasterKey(db, masterKeys));
  return [missing ? fail(explainMasterKey(missing, environment)) : ok('All sealed values can be opened.')];
}
