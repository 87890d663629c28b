// The secrets of an installation in its backup: reads them for a backup, and stores them in a restore.
import { createHash, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../access/authority/index.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { settingOf, upstreamSetting } from '../config/plane-settings.ts';
import { findSecrets, updateStoredSecrets } from '../config/secrets.ts';
import type { SettingName } from '../config/settings.ts';
import type { BackupSecrets } from './backup-format.ts';

interface BackupSecretSpec<Name extends keyof BackupSecrets = 'pepper' | 'masterKey' | 'managementKey'> {
  name: Name;
  setting: SettingName;
}

const planeSecretsOf = (environment: Environment): readonly BackupSecretSpec[] => [
  { name: 'pepper', setting: settingOf(environment, 'PEPPER') },
  { name: 'masterKey', setting: settingOf(environment, 'MASTER_KEY') },
  { name: 'managementKey', setting: settingOf(environment, 'MANAGEMENT_KEY') },
];

const CONSOLE: BackupSecretSpec<'consoleSecret'> = { name: 'consoleSecret', setting: 'SLIPWAY_CONSOLE_SECRET' };
/** Secrets that the sandbox and the Console generate and store in the data folder unless a setting provides them. */
const GENERATED_SECRETS = [...planeSecretsOf('sandbox'), CONSOLE];
/**
 * Secrets that are shared with the upstream API. A lost one can be generated again. A backup made with the worker's
 * settings lacks them.
 */
const UPSTREAM: readonly BackupSecretSpec<'identityKey' | 'ingestKey'>[] = [
  { name: 'identityKey', setting: upstreamSetting('IDENTITY_KEY') },
  { name: 'ingestKey', setting: upstreamSetting('INGEST_KEY') },
];

/** Returns the secrets without which a backup is useless. */
const requiredSecretsOf = (environment: Environment): readonly BackupSecretSpec<keyof BackupSecrets>[] =>
  environment === 'sandbox' ? GENERATED_SECRETS : planeSecretsOf('production');
const backupSecretsOf = (environment: Environment): readonly BackupSecretSpec<keyof BackupSecrets>[] =>
  environment === 'sandbox' ? GENERATED_SECRETS : [...planeSecretsOf('production'), ...UPSTREAM];

/** Returns the settings of secrets that are rotated: their version, and other versions that are needed. */
const versionsOf = (environment: Environment) =>
  [
    {
      of: 'pepper',
      version: 'pepperVersion',
      others: 'otherPeppers',
      secretSetting: settingOf(environment, 'PEPPER'),
      setting: settingOf(environment, 'PEPPER_VERSION'),
      othersSetting: settingOf(environment, 'OTHER_PEPPERS'),
    },
    {
      of: 'masterKey',
      version: 'masterKeyVersion',
      others: 'otherMasterKeys',
      secretSetting: settingOf(environment, 'MASTER_KEY'),
      setting: settingOf(environment, 'MASTER_KEY_VERSION'),
      othersSetting: settingOf(environment, 'OTHER_MASTER_KEYS'),
    },
  ] as const;

/** Throws if a secret is missing. */
export async function readBackupSecrets(config: Config, environment: Environment): Promise<BackupSecrets> {
  const { secrets, rotation } = await findSecrets(config, environment);
  const found: BackupSecrets = {};
  for (const { name, setting } of backupSecretsOf(environment)) {
    // `in` has checked the name
    const value = (name in secrets ? secrets[name as keyof typeof secrets] : config.findSecret(setting))?.reveal();
    if (value !== undefined) found[name] = value;
  }
  const missing = requiredSecretsOf(environment).filter(({ name }) => found[name] === undefined);
  if (missing.length > 0) {
    const settings = missing.map(({ setting }) => setting).join(', ');
    throw new ConfigError(
      `A backup requires ${settings}: without these secrets it cannot be used. Set them, then run the command again.`,
    );
  }
  for (const { version, others, setting, othersSetting } of versionsOf(environment)) {
    found[version] = rotation.find(setting) ?? '1';
    const otherVersions = rotation.find(othersSetting);
    if (otherVersions !== undefined) found[others] = otherVersions;
  }
  return found;
}

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

/**
 * Returns the file for secrets that no setting provides. The sandbox reads it at its start; for production, an operator
 * sets them from it.
 */
const fileIn = async (config: Config, environment: Environment): Promise<string> =>
  environment === 'sandbox' ? (await findSecrets(config)).file : join(config.dataDir, 'production-secrets.env');

/** Checks before a restore that the settings can open the backup, and that no other secrets would be overwritten. */
export async function refuseOtherSecrets(
  config: Config,
  backup: BackupSecrets,
  environment: Environment,
): Promise<void> {
  const file = await fileIn(config, environment);
  if (existsSync(file))
    throw new ConfigError(
      `${file} has the secrets of another installation. A restore requires a data folder without this file.`,
    );
  for (const { name, setting } of requiredSecretsOf(environment)) {
    const configured = config.findSecret(setting)?.reveal();
    if (configured === undefined || isSame(configured, backup[name] ?? '')) continue;
    throw new ConfigError(`${setting} differs from the value in the backup: unset it, or set the value of the backup.`);
  }
  for (const { version, setting, secretSetting } of versionsOf(environment)) {
    const configured = config.find(setting) ?? '1';
    if (config.find(secretSetting) === undefined || configured === (backup[version] ?? '1')) continue;
    throw new ConfigError(`${setting} is ${configured}, but ${backup[version]} in the backup.`);
  }
}

/** Stores the secrets that no setting provides in the data folder. Returns the file; undefined if there are none. */
export async function storeSecrets(
  config: Config,
  backup: BackupSecrets,
  environment: Environment,
): Promise<string | undefined> {
  const unset = backupSecretsOf(environment).filter(({ setting }) => config.find(setting) === undefined);
  const rotated = versionsOf(environment)
    .filter(({ secretSetting }) => unset.some(({ setting }) => setting === secretSetting))
    .flatMap(({ version, setting, others, othersSetting }) => [
      { name: version, setting },
      { name: others, setting: othersSetting },
    ]);
  const entries = [...unset, ...rotated].flatMap(({ name, setting }) => {
    const value = backup[name];
    return value === undefined ? [] : [{ name, setting, value }];
  });
  if (entries.length === 0) return undefined;
  const file = await fileIn(config, environment);
  if (environment === 'sandbox') {
    await updateStoredSecrets(config, Object.fromEntries(entries.map(({ name, value }) => [name, value])));
  } else {
    const lines = entries.map(({ setting, value }) => `${setting}=${value}\n`);
    await writeFile(file, lines.join(''), { mode: 0o600, flag: 'wx' });
  }
  return file;
}
