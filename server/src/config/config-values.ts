// Parses and checks the values of settings. Errors are sentences that name the setting.
import { isIP } from 'node:net';
import { isMasterKey } from '../kit/crypto/seal.ts';
import { type Secret, secret } from '../kit/crypto/secret.ts';
import { splitHosts } from '../kit/db/primary.ts';
import { compileRules } from '../kit/outbound/addresses.ts';
import { ForeseenError } from '../kit/text/foreseen-error.ts';
import { isEmail } from './config-mail-and-oidc.ts';
import type { SettingName } from './settings.ts';

export class ConfigError extends ForeseenError {
  override name = 'ConfigError';
}

export type Get = (name: SettingName) => string;
export type Find = (name: SettingName) => string | undefined;

const MIN_SECRET_CHARACTERS = 32;

export function port(name: SettingName, get: Get): number {
  const value = Number(get(name));
  if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new ConfigError(`${name} must be a port number.`);
  return value;
}

export function count(name: SettingName, get: Get): number {
  const value = Number(get(name));
  if (!Number.isInteger(value) || value < 1 || value > 1_000_000) {
    throw new ConfigError(`${name} must be a whole number from 1 to 1,000,000.`);
  }
  return value;
}

export function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

export function checkCidr(name: SettingName, cidr: string): string {
  const [, ip = '', bits] = /^([^/%]+)(?:\/([1-9]\d{0,2}))?$/.exec(cidr) ?? [];
  const max = isIP(ip) === 6 ? 128 : 32;
  if (isIP(ip) === 0 || Number(bits ?? max) > max)
    throw new ConfigError(`${name}: "${cidr}" is not an address or a CIDR range.`);
  return cidr;
}

/** Runs a check of the outbound rules, whose errors name no setting. */
function withSettingName(name: SettingName, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    throw new ConfigError(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}

export function checkAllowedHost(entry: string): string {
  const name = 'SLIPWAY_WEBHOOK_ALLOW_HOSTS';
  withSettingName(name, () => compileRules({ allowHosts: [entry] }));
  if (!/^(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1\]):\d+$/i.test(entry)) {
    throw new ConfigError(
      `${name}: "${entry}" is not on this machine, and plain http is allowed for this machine only. To allow a private network, set SLIPWAY_WEBHOOK_ALLOW_CIDRS.`,
    );
  }
  return entry;
}

export function checkAllowedCidr(cidr: string): string {
  withSettingName('SLIPWAY_WEBHOOK_ALLOW_CIDRS', () => compileRules({ allowHosts: [], allowCidrs: [cidr] }));
  return cidr;
}

export function requireValid<T>(read: T | string): T {
  if (typeof read === 'string') throw new ConfigError(read);
  return read;
}

export function email(name: SettingName, value: string): string {
  if (isEmail(value)) return value;
  throw new ConfigError(`${name}: "${value}" is not an e-mail address.`);
}

export function databaseUrl(name: SettingName, find: Find): string | undefined {
  const url = find(name);
  if (url === undefined) return undefined;
  const hosts = splitHosts(url);
  const isHost = (one: string): boolean => URL.canParse(one) && new URL(one).hostname !== '';
  if (!/^postgres(ql)?:\/\//.test(url) || (hosts.length > 1 && !hosts.every(isHost)))
    throw new ConfigError(`${name} must be a postgres:// address.`);
  const target = /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1];
  if (target !== undefined && target !== 'read-write' && target !== 'primary')
    throw new ConfigError(
      `${name}: target_session_attrs must be \`read-write\` or \`primary\`, because Slipway uses no standby.`,
    );
  return url;
}

export function checkSecret(name: SettingName, value: string): Secret {
  if (name.endsWith('_MASTER_KEY')) {
    if (!isMasterKey(value)) throw new ConfigError(`${name} must be 32 bytes in base64: openssl rand -base64 32`);
  } else if (value.length < MIN_SECRET_CHARACTERS) {
    throw new ConfigError(`${name} must have at least ${MIN_SECRET_CHARACTERS} characters: openssl rand -base64 32`);
  }
  return secret(value);
}

export function address(name: SettingName, value: string): string {
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

/** Checks a URL that must not be plain http to another machine. `why` completes the sentence of the refusal. */
export function privateUrl(name: SettingName, value: string, reason: string): string {
  const url = address(name, value);
  if (url.startsWith('http:') && !isLoopbackUrl(url)) {
    throw new ConfigError(`${name} is plain http on another machine, ${reason}`);
  }
  return url;
}
