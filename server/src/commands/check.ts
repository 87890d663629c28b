// `slipway-server check`: what would keep a role from starting with this configuration. It changes nothing.
import { type Config, ConfigError, refuseHalfDatabases } from '../config.ts';
import { type Databases, findRunning } from '../databases.ts';
import { findMissingMasterKey } from '../features/webhooks/index.ts';
import { withDatabase } from '../kit/db-brief.ts';
import { readMasterKeys } from '../master-keys.ts';
import { readPeppers } from '../peppers.ts';
import { explainMasterKey, lookAtSchema, neededSchema, readGithubKeys } from '../process.ts';
import { findMissingRoles, refuseMightyRoles } from '../provision.ts';
import { findSecrets } from '../secrets.ts';
import type { SettingName } from '../settings.ts';
import { type Finding, fail, look, ok } from './command.ts';

export type Role = 'all' | 'api' | 'worker' | 'console';

const OF_PLANE: SettingName[] = [
  'SLIPWAY_SANDBOX_DATABASE_URL',
  'SLIPWAY_SANDBOX_PEPPER',
  'SLIPWAY_SANDBOX_MASTER_KEY',
  'SLIPWAY_SANDBOX_MANAGEMENT_KEY',
];
const NEEDS: Record<Role, SettingName[]> = {
  all: [],
  api: OF_PLANE,
  worker: OF_PLANE,
  console: [
    'SLIPWAY_CONSOLE_DATABASE_URL',
    'SLIPWAY_CONSOLE_SECRET',
    'SLIPWAY_SANDBOX_MANAGEMENT_KEY',
    'SLIPWAY_SANDBOX_MANAGEMENT_URL',
  ],
};

const MIN_POSTGRES = 15;
const ROLES_MEND = 'docs/operations.md says how the roles are made.';

export async function check(role: Role, config: Config): Promise<readonly Finding[]> {
  const settings = await look(() => checkSettings(role, config));
  const databases = await databasesOf(config);
  const isGiven = config.databases !== undefined;
  if (!databases) {
    return role === 'all' && !isGiven
      ? [...settings, ok('The embedded Postgres is not running: its databases were not looked into.')]
      : settings;
  }
  const ofPlane = role === 'console' ? [] : await look(() => checkPlane(config, databases.sandbox));
  const hasConsole = role === 'all' || role === 'console';
  const ofConsole = hasConsole ? await look(() => checkDatabase('console', databases.console)) : [];
  return [...settings, ...ofPlane, ...ofConsole];
}

async function databasesOf(config: Config): Promise<Databases | undefined> {
  return config.databases ?? (await findRunning(config).catch(() => undefined));
}

/** All that is missing, where a start names one after the other. */
async function checkSettings(role: Role, config: Config): Promise<Finding[]> {
  const { secrets, rotation } = await findSecrets(config);
  const tries: (() => unknown)[] = [
    ...NEEDS[role].map((name) => () => config.need(name)),
    () => role === 'all' && refuseHalfDatabases(config),
    () => secrets.pepper && readPeppers(rotation, secrets.pepper),
    () => secrets.masterKey && readMasterKeys(rotation, secrets.masterKey),
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
  return wrong.length > 0 ? wrong : [ok('The settings are whole.')];
}

async function checkDatabase(kind: 'plane' | 'console', url: string): Promise<Finding[]> {
  if (url === '') return []; // named as missing
  const setting = kind === 'plane' ? 'SLIPWAY_SANDBOX_DATABASE_URL' : 'SLIPWAY_CONSOLE_DATABASE_URL';
  const { pending, postgres } = await lookAtSchema(kind, url, setting);
  const name = kind === 'plane' ? "The sandbox's database" : "The Console's database";
  if (postgres < MIN_POSTGRES)
    return [fail(`${name} is Postgres ${postgres}.`, `${MIN_POSTGRES} is the least that will do.`)];
  if (pending.length === 0) return [ok(`${name} is up to date.`)];
  return [ok(`${name} can be reached; a start applies ${pending.length} migrations, from ${pending[0]} on.`)];
}

async function checkPlane(config: Config, url: string): Promise<readonly Finding[]> {
  const found = await checkDatabase('plane', url);
  if (url === '' || found.some(({ level }) => level === 'fail')) return found;
  const missing = await findMissingRoles(url);
  if (missing.length > 0) {
    return [...found, fail(`Its login cannot play ${missing.join(', ')}.`, ROLES_MEND)];
  }
  const mighty = await refuseMightyRoles(url);
  const roles = mighty === undefined ? ok('Its roles see one tenant each.') : fail(mighty, ROLES_MEND);
  return [...found, roles, ...(await look(() => checkMasterKeys(config, url)))];
}

async function checkMasterKeys(config: Config, url: string): Promise<Finding[]> {
  const { secrets, rotation } = await findSecrets(config);
  const masterKeys = secrets.masterKey && readMasterKeys(rotation, secrets.masterKey);
  const { pending } = await lookAtSchema('plane', url, 'SLIPWAY_SANDBOX_DATABASE_URL');
  // What is sealed cannot be counted before the tables are.
  if (!masterKeys || pending.length === (await neededSchema('plane'))) return [];
  const missing = await withDatabase({ url, role: 'slipway_worker' }, (db) => findMissingMasterKey(db, masterKeys));
  return [missing ? fail(explainMasterKey(missing)) : ok('Whatever is sealed can be opened.')];
}
