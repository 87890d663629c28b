// Reads the settings of an environment, and those that only production has.

import type { Environment } from '../access/authority/index.ts';
import type { RecordDurability } from '../inspector/requests/index.ts';
import type { Secret } from '../kit/crypto/secret.ts';
import { MAX_KEY_DAYS } from '../tenancy/keys/index.ts';
import { readRetention } from './config-retention.ts';
import {
  address,
  ConfigError,
  count,
  databaseUrl,
  type Find,
  type Get,
  port,
  privateUrl,
  requireValid,
} from './config-values.ts';
import { settingOf, upstreamSetting } from './plane-settings.ts';
import type { SettingName } from './settings.ts';

export interface PlaneConfig {
  ports: { api: number; management: number };
  apiUrl: string;
  /** Rate limit of each key. */
  rate: { perSecond: number; burst: number };
  keyDays: number;
  statusLeaseSeconds: number;
  retention: { requestDays: number; eventDays: number; heldDays: number };
  records: RecordDurability;
  eventScopes: 'announced' | 'enforced';
  databaseUrl: string | undefined;
  /** Path of the revocation journal; undefined without one. */
  revocationJournal: string | undefined;
}

export function readPlane(environment: Environment, get: Get, find: Find): PlaneConfig {
  const ports = {
    api: port(settingOf(environment, 'API_PORT'), get),
    management: port(settingOf(environment, 'MANAGEMENT_PORT'), get),
  };
  const url = settingOf(environment, 'API_URL');
  return {
    ports,
    apiUrl: address(url, find(url) ?? `http://localhost:${ports.api}`),
    rate: {
      perSecond: count(settingOf(environment, 'RATE_PER_SECOND'), get),
      burst: count(settingOf(environment, 'RATE_BURST'), get),
    },
    keyDays: keyDays(settingOf(environment, 'MAX_KEY_LIFETIME_DAYS'), get),
    statusLeaseSeconds: leaseMinutes(settingOf(environment, 'STATUS_LEASE_MINUTES'), get) * 60,
    retention: requireValid(readRetention(environment, get)),
    records: records(settingOf(environment, 'RECORDS'), get),
    eventScopes: eventScopes(settingOf(environment, 'EVENT_SCOPES'), get),
    databaseUrl: databaseUrl(settingOf(environment, 'DATABASE_URL'), find),
    revocationJournal: find(settingOf(environment, 'REVOCATION_JOURNAL')),
  };
}

function records(name: SettingName, get: Get): RecordDurability {
  const value = get(name);
  if (value !== 'durable' && value !== 'fast') throw new ConfigError(`${name} must be \`durable\` or \`fast\`.`);
  return value;
}

function eventScopes(name: SettingName, get: Get): PlaneConfig['eventScopes'] {
  const value = get(name);
  if (value !== 'announced' && value !== 'enforced')
    throw new ConfigError(`${name} must be \`announced\` or \`enforced\`.`);
  return value;
}

function keyDays(name: SettingName, get: Get): number {
  const days = count(name, get);
  if (days > MAX_KEY_DAYS) throw new ConfigError(`${name} must be at most ${MAX_KEY_DAYS}: no key lives longer.`);
  return days;
}

const MOST_LEASE_MINUTES = 24 * 60;

function leaseMinutes(name: SettingName, get: Get): number {
  const minutes = count(name, get);
  if (minutes > MOST_LEASE_MINUTES) {
    throw new ConfigError(
      `${name} must be at most ${MOST_LEASE_MINUTES}: without this limit a suspended organisation could keep its access.`,
    );
  }
  return minutes;
}

export interface UpstreamConfig {
  url: string;
  identityKey: Secret;
  ingestKey: Secret;
}

const IN_THE_CLEAR = 'where what apps read and write would travel in the clear. Give its https address.';

/** `needAll` throws if any of the settings is missing, and its message names all of them. */
export function readUpstream(
  needAll: (names: readonly SettingName[]) => string[],
  needSecret: (name: SettingName) => Secret,
): UpstreamConfig {
  const url = upstreamSetting('UPSTREAM_URL');
  const identity = upstreamSetting('IDENTITY_KEY');
  const ingest = upstreamSetting('INGEST_KEY');
  const [givenUrl = ''] = needAll([url, identity, ingest]);
  const ingestKey = needSecret(ingest);
  if (!/^[\x21-\x7e]+$/.test(ingestKey.reveal()))
    throw new ConfigError(
      `${ingest} is sent in a header, and must consist of letters, digits and signs: openssl rand -base64 32`,
    );
  return {
    url: privateUrl(url, givenUrl, IN_THE_CLEAR),
    identityKey: needSecret(identity),
    ingestKey,
  };
}
