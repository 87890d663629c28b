// The only reader of the environment. What is wrong or missing is said in one sentence that names the setting.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type MonitoringSettings, readMonitoring } from './config-monitoring.ts';
import { isEmail, type MailSettings, readMail, readOidc } from './config-people.ts';
import { readClientAddresses, readRetention } from './config-retention.ts';
import { type AddressKeeping, compileRules } from './kit/addresses.ts';
import type { OidcSettings } from './kit/oidc.ts';
import { isMasterKey } from './kit/seal.ts';
import { type Secret, secret } from './kit/secret.ts';
import { SETTINGS, type Setting, type SettingName } from './settings.ts';

export class ConfigError extends Error {
  override name = 'ConfigError';
}

export interface Config {
  dataDir: string;
  host: string;
  ports: { console: number; sandboxApi: number; sandboxManagement: number; demoReceiver: number };
  isDemo: boolean;
  ownerEmail: string;
  /** In lower case. */
  operatorEmails: string[];
  consoleUrl: string;
  sandboxApiUrl: string;
  /** Of each key. */
  sandboxRate: { perSecond: number; burst: number };
  retention: { requestDays: number; eventDays: number; heldDays: number };
  clientAddresses: AddressKeeping;
  monitoring: MonitoringSettings;
  trustedProxies: string[];
  /** Undefined: start an embedded Postgres. */
  databases: { sandbox: string; console: string } | undefined;
  webhookAllowHosts: string[];
  webhookAllowCidrs: string[];
  /** JSON, as GitHub publishes it. */
  githubKeys: string | undefined;
  /** Undefined: messages stay in the outbox. */
  mail: MailSettings | undefined;
  oidc: OidcSettings | undefined;
  find(name: SettingName): string | undefined;
  /** A setting without which this role cannot run. */
  need(name: SettingName): string;
  needSecret(name: SettingName): Secret;
  findSecret(name: SettingName): Secret | undefined;
}

type Environment = Record<string, string | undefined>;

const MIN_SECRET_CHARACTERS = 32;

export function readConfig(env: Environment = process.env): Config {
  refuseUnknown(env);
  const find = (name: SettingName): string | undefined => (env[name]?.trim() ? env[name].trim() : undefined);
  const get = (name: SettingName): string => {
    const setting: Setting = SETTINGS[name];
    return find(name) ?? setting.default ?? '';
  };
  const need = (name: SettingName): string => {
    const value = find(name);
    if (value === undefined)
      throw new ConfigError(`${name} is missing, which this role needs. ${SETTINGS[name].meaning}`);
    return value;
  };
  const findSecret = (name: SettingName): Secret | undefined => {
    const value = find(name);
    return value === undefined ? undefined : checkSecret(name, value);
  };
  const ports = {
    console: port('SLIPWAY_CONSOLE_PORT', get),
    sandboxApi: port('SLIPWAY_SANDBOX_API_PORT', get),
    sandboxManagement: port('SLIPWAY_SANDBOX_MANAGEMENT_PORT', get),
    demoReceiver: port('SLIPWAY_DEMO_RECEIVER_PORT', get),
  };
  const demo = get('SLIPWAY_DEMO');
  if (demo !== 'on' && demo !== 'off') throw new ConfigError('SLIPWAY_DEMO must be `on` or `off`.');
  return {
    dataDir: resolve(get('SLIPWAY_DATA_DIR')),
    host: get('SLIPWAY_HOST'),
    ports,
    isDemo: demo === 'on',
    ownerEmail: email('SLIPWAY_OWNER_EMAIL', get('SLIPWAY_OWNER_EMAIL')),
    operatorEmails: list(find('SLIPWAY_OPERATOR_EMAILS')).map((one) =>
      email('SLIPWAY_OPERATOR_EMAILS', one).toLowerCase(),
    ),
    consoleUrl: publicUrl('SLIPWAY_CONSOLE_URL', find('SLIPWAY_CONSOLE_URL') ?? `http://localhost:${ports.console}`),
    sandboxApiUrl: address(
      'SLIPWAY_SANDBOX_API_URL',
      find('SLIPWAY_SANDBOX_API_URL') ?? `http://localhost:${ports.sandboxApi}`,
    ),
    sandboxRate: {
      perSecond: count('SLIPWAY_SANDBOX_RATE_PER_SECOND', get),
      burst: count('SLIPWAY_SANDBOX_RATE_BURST', get),
    },
    retention: sound(readRetention(get)),
    clientAddresses: sound(readClientAddresses(get('SLIPWAY_CLIENT_ADDRESSES'))).keeping,
    monitoring: sound(readMonitoring(get, find)),
    trustedProxies: list(find('SLIPWAY_TRUSTED_PROXIES')).map((cidr) => checkCidr('SLIPWAY_TRUSTED_PROXIES', cidr)),
    databases: databases(find),
    webhookAllowHosts: list(find('SLIPWAY_WEBHOOK_ALLOW_HOSTS')).map(checkAllowedHost),
    webhookAllowCidrs: list(find('SLIPWAY_WEBHOOK_ALLOW_CIDRS')).map(checkAllowedCidr),
    githubKeys: find('SLIPWAY_GITHUB_KEYS'),
    mail: sound(readMail(find)),
    oidc: sound(readOidc(find)),
    find,
    need,
    needSecret: (name) => checkSecret(name, need(name)),
    findSecret,
  };
}

// What people set for the SDK, the CLI and the tests in the same shell.
const NOT_OURS = /^SLIPWAY_(TEST_\w+|KEY|API_URL)$/;

// A misspelt setting would silently mean its default.
function refuseUnknown(env: Environment): void {
  for (const name of Object.keys(env)) {
    if (name.startsWith('SLIPWAY_') && !NOT_OURS.test(name) && !Object.hasOwn(SETTINGS, name)) {
      throw new ConfigError(`${name} is not a setting of Slipway. The README lists them all.`);
    }
  }
}

function databases(find: (name: SettingName) => string | undefined): Config['databases'] {
  const sandbox = find('SLIPWAY_SANDBOX_DATABASE_URL');
  const console = find('SLIPWAY_CONSOLE_DATABASE_URL');
  if (sandbox === undefined && console === undefined) return undefined;
  for (const [name, url] of [
    ['SLIPWAY_SANDBOX_DATABASE_URL', sandbox],
    ['SLIPWAY_CONSOLE_DATABASE_URL', console],
  ] as const) {
    if (url !== undefined && !/^postgres(ql)?:\/\//.test(url)) {
      throw new ConfigError(`${name} must be a postgres:// address.`);
    }
  }
  return { sandbox: sandbox ?? '', console: console ?? '' };
}

/** For a process that plays all roles: both databases or neither. */
export function refuseHalfDatabases(config: Config): void {
  const { databases: given } = config;
  if (!given) return;
  const missing = given.sandbox === '' ? 'SLIPWAY_SANDBOX_DATABASE_URL' : 'SLIPWAY_CONSOLE_DATABASE_URL';
  const present = given.sandbox === '' ? 'SLIPWAY_CONSOLE_DATABASE_URL' : 'SLIPWAY_SANDBOX_DATABASE_URL';
  if (given.sandbox === '' || given.console === '') {
    throw new ConfigError(
      `${missing} is missing: ${present} is set, and Slipway starts no Postgres of its own beside an external one.`,
    );
  }
}

function port(name: SettingName, get: (name: SettingName) => string): number {
  const value = Number(get(name));
  if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new ConfigError(`${name} must be a port number.`);
  return value;
}

function count(name: SettingName, get: (name: SettingName) => string): number {
  const value = Number(get(name));
  if (!Number.isInteger(value) || value < 1 || value > 1_000_000) {
    throw new ConfigError(`${name} must be a whole number from 1 to 1,000,000.`);
  }
  return value;
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function checkCidr(name: SettingName, cidr: string): string {
  const [, ip = '', bits] = /^([^/%]+)(?:\/([1-9]\d{0,2}))?$/.exec(cidr) ?? [];
  const max = isIP(ip) === 6 ? 128 : 32;
  if (isIP(ip) === 0 || Number(bits ?? max) > max)
    throw new ConfigError(`${name}: "${cidr}" is not an address or a CIDR range.`);
  return cidr;
}

/** Runs a check of the outbound rules, whose mistakes name no setting. */
function named(name: SettingName, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw new ConfigError(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}

function checkAllowedHost(entry: string): string {
  const name = 'SLIPWAY_WEBHOOK_ALLOW_HOSTS';
  named(name, () => compileRules({ allowHosts: [entry] }));
  if (!/^(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1\]):\d+$/i.test(entry)) {
    throw new ConfigError(
      `${name}: "${entry}" is not on this machine, and plain http is for this machine alone. A private network is allowed with SLIPWAY_WEBHOOK_ALLOW_CIDRS.`,
    );
  }
  return entry;
}

function checkAllowedCidr(cidr: string): string {
  named('SLIPWAY_WEBHOOK_ALLOW_CIDRS', () => compileRules({ allowHosts: [], allowCidrs: [cidr] }));
  return cidr;
}

function sound<T>(read: T | string): T {
  if (typeof read === 'string') throw new ConfigError(read);
  return read;
}

function email(name: SettingName, value: string): string {
  if (isEmail(value)) return value;
  throw new ConfigError(`${name}: "${value}" is not an e-mail address.`);
}

function checkSecret(name: SettingName, value: string): Secret {
  if (name === 'SLIPWAY_SANDBOX_MASTER_KEY') {
    if (!isMasterKey(value)) throw new ConfigError(`${name} must be 32 bytes in base64: openssl rand -base64 32`);
  } else if (value.length < MIN_SECRET_CHARACTERS) {
    throw new ConfigError(`${name} must have at least ${MIN_SECRET_CHARACTERS} characters: openssl rand -base64 32`);
  }
  return secret(value);
}

function address(name: SettingName, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new ConfigError(`${name} must be an http or https address.`);
  }
  return url.href.replace(/\/$/, '');
}

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopbackUrl(url: string): boolean {
  return LOOPBACK_HOSTS.has(new URL(url).hostname);
}

function publicUrl(name: SettingName, value: string): string {
  const url = address(name, value);
  if (url.startsWith('http:') && !isLoopbackUrl(url)) {
    throw new ConfigError(
      `${name} is plain http on another machine than this one, where passwords and sessions would travel in the clear. Put TLS in front of the Console and give its https address.`,
    );
  }
  return url;
}
