// The only reader of the environment. An invalid or missing setting is reported in one sentence that names it.
import { resolve } from 'node:path';
import type { Environment } from '../access/authority/index.ts';
import type { Secret } from '../kit/crypto/secret.ts';
import type { AddressPrecision } from '../kit/outbound/addresses.ts';
import type { OidcSettings } from '../kit/outbound/oidc.ts';
import type { TracingSettings } from '../kit/telemetry/otel.ts';
import { type MailSettings, readMail, readOidc } from './config-mail-and-oidc.ts';
import { type MonitoringSettings, readMonitoring } from './config-monitoring.ts';
import { type PlaneConfig, readPlane, readUpstream, type UpstreamConfig } from './config-plane.ts';
import { type CaptureSettings, readCaptures, readClientAddresses } from './config-retention.ts';
import { readTracing } from './config-tracing.ts';
import {
  ConfigError,
  checkAllowedCidr,
  checkAllowedHost,
  checkCidr,
  checkSecret,
  databaseUrl,
  email,
  list,
  port,
  privateUrl,
  requireValid,
} from './config-values.ts';
import {
  CREDENTIALS,
  PRODUCTION_SETTINGS,
  type ProductionSettingName,
  type Setting,
  settingOf,
  UPSTREAM_CREDENTIALS,
  upstreamSetting,
} from './plane-settings.ts';
import { RENAMED_SETTINGS } from './renamed-settings.ts';
import { SETTINGS, type SettingName } from './settings.ts';

export { ConfigError, isLoopbackUrl } from './config-values.ts';

export interface Config {
  dataDir: string;
  host: string;
  ports: { console: number; demoReceiver: number };
  isDemo: boolean;
  /** URL that the Console shows. */
  receiverUrl: string | undefined;
  ownerEmail: string;
  /** In lower case. */
  operatorEmails: string[];
  consoleUrl: string;
  /** The documentation, if the address of the Console is set: only then an API process knows it. */
  docsUrl: string | undefined;
  planes: Record<Environment, PlaneConfig>;
  /** The production settings that are set, in order; empty without production. */
  productionSettings: ProductionSettingName[];
  clientAddresses: AddressPrecision;
  /** Of the sandbox. */
  captures: CaptureSettings;
  monitoring: MonitoringSettings;
  tracing: TracingSettings | undefined;
  trustedProxies: string[];
  /** Empty for a database that is not set. Undefined if none is set: an embedded Postgres is then started. */
  databases: Record<Environment | 'console', string> | undefined;
  webhookAllowHosts: string[];
  webhookAllowCidrs: string[];
  /** JSON, as GitHub publishes it. */
  githubKeys: string | undefined;
  /** Undefined: messages stay in the outbox. */
  mail: MailSettings | undefined;
  oidc: OidcSettings | undefined;
  find(name: SettingName): string | undefined;
  /** Returns a setting without which this role cannot run, or throws. */
  need(name: SettingName): string;
  needSecret(name: SettingName): Secret;
  findSecret(name: SettingName): Secret | undefined;
  /** Returns the additional settings of production's API and worker, or throws. */
  needUpstream(): UpstreamConfig;
}

type Variables = Record<string, string | undefined>;

const IN_THE_CLEAR =
  'where passwords and sessions would travel in the clear. Put TLS in front of the Console and give its https address.';
const READ_BY_ANYONE = 'where anyone on the way would read what is delivered.';

export function readConfig(env: Variables = process.env): Config {
  refuseUnknown(env);
  const find = (name: SettingName): string | undefined => (env[name]?.trim() ? env[name].trim() : undefined);
  const get = (name: SettingName): string => {
    const setting: Setting = SETTINGS[name];
    return find(name) ?? setting.default ?? '';
  };
  const needAll = (names: readonly SettingName[]): string[] => {
    const missing = names.filter((name) => find(name) === undefined);
    const [first] = missing;
    if (first !== undefined) throw new ConfigError(missingSettings(first, missing));
    return names.map(get);
  };
  const need = (name: SettingName): string => needAll([name]).join();
  const findSecret = (name: SettingName): Secret | undefined => {
    const value = find(name);
    return value === undefined ? undefined : checkSecret(name, value);
  };
  const needSecret = (name: SettingName): Secret => checkSecret(name, need(name));
  const ports = {
    console: port('SLIPWAY_CONSOLE_PORT', get),
    demoReceiver: port('SLIPWAY_DEMO_RECEIVER_PORT', get),
  };
  const planes = { sandbox: readPlane('sandbox', get, find), production: readPlane('production', get, find) };
  const demo = get('SLIPWAY_DEMO');
  if (demo !== 'on' && demo !== 'off') throw new ConfigError('SLIPWAY_DEMO must be `on` or `off`.');
  const receiver = find('SLIPWAY_DEMO_RECEIVER_URL');
  const consoleUrl = privateUrl(
    'SLIPWAY_CONSOLE_URL',
    find('SLIPWAY_CONSOLE_URL') ?? `http://localhost:${ports.console}`,
    IN_THE_CLEAR,
  );
  // Only settings of the table, because any other is refused.
  const productionSettings = (Object.keys(PRODUCTION_SETTINGS) as ProductionSettingName[]).filter((name) => find(name));
  return {
    dataDir: resolve(get('SLIPWAY_DATA_DIR')),
    host: get('SLIPWAY_HOST'),
    ports,
    isDemo: demo === 'on',
    receiverUrl: receiver && privateUrl('SLIPWAY_DEMO_RECEIVER_URL', receiver, READ_BY_ANYONE),
    ownerEmail: email('SLIPWAY_OWNER_EMAIL', get('SLIPWAY_OWNER_EMAIL')),
    operatorEmails: list(find('SLIPWAY_OPERATOR_EMAILS')).map((one) =>
      email('SLIPWAY_OPERATOR_EMAILS', one).toLowerCase(),
    ),
    consoleUrl,
    docsUrl: find('SLIPWAY_CONSOLE_URL') ? `${consoleUrl}/docs` : undefined,
    planes,
    productionSettings,
    clientAddresses: requireValid(readClientAddresses(get('SLIPWAY_CLIENT_ADDRESSES'))).keeping,
    captures: requireValid(readCaptures(get)),
    monitoring: requireValid(readMonitoring(get, find)),
    tracing: requireValid(readTracing(find)),
    trustedProxies: list(find('SLIPWAY_TRUSTED_PROXIES')).map((cidr) => checkCidr('SLIPWAY_TRUSTED_PROXIES', cidr)),
    databases: databases(planes, databaseUrl('SLIPWAY_CONSOLE_DATABASE_URL', find)),
    webhookAllowHosts: list(find('SLIPWAY_WEBHOOK_ALLOW_HOSTS')).map(checkAllowedHost),
    webhookAllowCidrs: list(find('SLIPWAY_WEBHOOK_ALLOW_CIDRS')).map(checkAllowedCidr),
    githubKeys: find('SLIPWAY_GITHUB_KEYS'),
    mail: requireValid(readMail(find)),
    oidc: requireValid(readOidc(find)),
    find,
    need,
    needSecret,
    findSecret,
    needUpstream: () => readUpstream(needAll, needSecret),
  };
}

const NAMES = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function missingSettings(first: SettingName, missing: readonly SettingName[]): string {
  if (missing.length === 1) return `${first} is missing, which this role needs. ${SETTINGS[first].meaning}`;
  return `${NAMES.format(missing)} are missing, which this role needs. docs/reference/settings.md describes them.`;
}

// Variables of the SDK, the CLI and the tests, which may be set in the same shell.
const FOREIGN_VARIABLES = /^SLIPWAY_(TEST_\w+|KEY|API_URL|TOKEN|PROFILE|APP)$/;

// A misspelt setting would silently have its default value.
function refuseUnknown(env: Variables): void {
  for (const name of Object.keys(env)) {
    const renamed = Object.hasOwn(RENAMED_SETTINGS, name) ? RENAMED_SETTINGS[name] : undefined;
    if (renamed) throw new ConfigError(`${name} is now named ${renamed}. Rename the setting in the environment.`);
    if (name.startsWith('SLIPWAY_') && !FOREIGN_VARIABLES.test(name) && !Object.hasOwn(SETTINGS, name)) {
      throw new ConfigError(`${name} is not a setting of Slipway. docs/reference/settings.md lists all of them.`);
    }
  }
}

function databases({ sandbox, production }: Config['planes'], console: string | undefined): Config['databases'] {
  const named = [sandbox.databaseUrl, production.databaseUrl, console];
  if (named.every((url) => url === undefined)) return undefined;
  return { sandbox: sandbox.databaseUrl ?? '', production: production.databaseUrl ?? '', console: console ?? '' };
}

/** Refuses settings with one of the two databases, for a process with all roles: both must be set, or neither. */
export function refuseHalfDatabases(config: Config): void {
  const { databases } = config;
  if (!databases) return;
  const missing = databases.sandbox === '' ? 'SLIPWAY_SANDBOX_DATABASE_URL' : 'SLIPWAY_CONSOLE_DATABASE_URL';
  const configured = databases.sandbox === '' ? 'SLIPWAY_CONSOLE_DATABASE_URL' : 'SLIPWAY_SANDBOX_DATABASE_URL';
  if (databases.sandbox === '' || databases.console === '') {
    throw new ConfigError(
      `${missing} is missing: ${configured} is set, and an installation uses either two external databases or the embedded Postgres.`,
    );
  }
}

/** Refuses any setting of production, for a process with all sandbox roles. */
export function refuseProduction({ productionSettings: [first] }: Config): void {
  if (first === undefined) return;
  throw new ConfigError(
    `${first} is set, and one process cannot serve the sandbox and production: run \`slipway-server console\`, and \`api\` and \`worker\` with --environment sandbox and with --environment production, each as a process of its own (docs/operate/production.md).`,
  );
}

/**
 * Refuses credentials that would let a process of one environment act as the other environment or read its data.
 */
export function refuseOtherCredentials({ find }: Config, environment: Environment): void {
  const other = environment === 'sandbox' ? 'production' : 'sandbox';
  const names = [...CREDENTIALS, 'MANAGEMENT_KEY' as const].map((name) => settingOf(other, name));
  const foreign = [...names, ...(other === 'production' ? UPSTREAM_CREDENTIALS.map(upstreamSetting) : [])].find(find);
  if (foreign === undefined) return;
  throw new ConfigError(`${foreign} is set: a process of ${environment} must not have credentials of ${other}.`);
}
