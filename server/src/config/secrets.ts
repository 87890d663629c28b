// The secrets of an installation in one process: generated at its first start and stored in the data folder, readable
// only by its owner. A setting can replace each of them.
import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../access/authority/index.ts';
import { makeDataDir } from '../embedded/index.ts';
import { type Secret, secret } from '../kit/crypto/secret.ts';
import { type Config, ConfigError } from './config.ts';
import { type PlaneSetting, settingOf } from './plane-settings.ts';
import type { SettingName } from './settings.ts';

export interface Secrets {
  pepper: Secret;
  masterKey: Secret;
  managementKey: Secret;
  consoleSecret: Secret;
  sandboxDatabasePassword: Secret;
  consoleDatabasePassword: Secret;
}

const settingsOf = (environment: Environment): Partial<Record<keyof Secrets, SettingName>> => ({
  pepper: settingOf(environment, 'PEPPER'),
  masterKey: settingOf(environment, 'MASTER_KEY'),
  managementKey: settingOf(environment, 'MANAGEMENT_KEY'),
  consoleSecret: 'SLIPWAY_CONSOLE_SECRET',
});

/**
 * The state of a rotation in the file. Each entry replaces a setting, as long as the setting of the secret itself is
 * not set.
 */
export interface StoredRotation {
  pepperVersion?: string;
  otherPeppers?: string;
  masterKeyVersion?: string;
  otherMasterKeys?: string;
}

/** The versions with which Slipway has been started. A rotation does not end before. */
export interface StartedVersions {
  startedWithPepperVersion?: string;
  startedWithMasterKeyVersion?: string;
}

const ROTATION: Record<keyof StoredRotation, { of: keyof Secrets; setting: PlaneSetting }> = {
  pepperVersion: { of: 'pepper', setting: 'PEPPER_VERSION' },
  otherPeppers: { of: 'pepper', setting: 'OTHER_PEPPERS' },
  masterKeyVersion: { of: 'masterKey', setting: 'MASTER_KEY_VERSION' },
  otherMasterKeys: { of: 'masterKey', setting: 'OTHER_MASTER_KEYS' },
};

const NAMES: readonly (keyof Secrets)[] = [
  'pepper',
  'masterKey',
  'managementKey',
  'consoleSecret',
  'sandboxDatabasePassword',
  'consoleDatabasePassword',
];

/**
 * Creates the data folder if it is missing. A folder that cannot be used is reported as an error of the configuration.
 */
export function prepareDataDir({ dataDir }: Config): void {
  try {
    makeDataDir(dataDir);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

export async function readSecrets(config: Config): Promise<Secrets> {
  prepareDataDir(config);
  const file = fileOf(config);
  const stored = await readStoredSecrets(file);
  const missing = NAMES.filter((name) => stored[name] === undefined);
  for (const name of missing) stored[name] = randomBytes(32).toString('base64');
  if (missing.length > 0) await writeStoredSecrets(file, stored);
  return (await findSecrets(config)).secrets as Secrets; // none is missing any more
}

/**
 * Returns the current secrets, where settings precede the file. `rotation.find` returns the versions of peppers and
 * master keys. Changes nothing. The file contains nothing of production.
 */
export async function findSecrets(
  config: Config,
  environment: Environment = 'sandbox',
): Promise<{ secrets: Partial<Secrets>; rotation: Pick<Config, 'find'>; startedWith: StartedVersions; file: string }> {
  const file = fileOf(config);
  const stored = environment === 'sandbox' ? await readStoredSecrets(file) : {};
  const settings = settingsOf(environment);
  const secrets: Partial<Secrets> = {};
  for (const name of NAMES) {
    const setting = settings[name];
    const value =
      (setting && config.findSecret(setting)) ?? (stored[name] === undefined ? undefined : secret(stored[name]));
    if (value) secrets[name] = value;
  }
  function find(name: SettingName): string | undefined {
    const rotated = Object.entries(ROTATION).find(([, { setting }]) => settingOf(environment, setting) === name);
    const of = rotated && settings[rotated[1].of];
    // A secret that is set has its version set too.
    if (!rotated || (of && config.find(of) !== undefined)) return config.find(name);
    return config.find(name) ?? stored[rotated[0]];
  }
  return { secrets, rotation: { find }, startedWith: stored, file };
}

/** Changes the file, for a rotation. Removes entries that are undefined. */
export async function updateStoredSecrets(
  config: Config,
  change: Partial<Record<keyof Secrets, string>> & {
    [Name in keyof (StoredRotation & StartedVersions)]?: string | undefined;
  },
): Promise<void> {
  const file = fileOf(config);
  const changed = Object.entries({ ...(await readStoredSecrets(file)), ...change });
  await writeStoredSecrets(
    file,
    Object.fromEntries(changed.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  );
}

/**
 * Records the versions of a start that has read the file. Until then, a running Slipway may know the earlier versions
 * only.
 */
export async function recordStartedVersions(config: Config, started: Required<StartedVersions>): Promise<void> {
  const stored: StartedVersions & StoredRotation = await readStoredSecrets(fileOf(config));
  if (stored.otherPeppers === undefined && stored.otherMasterKeys === undefined) return;
  const isKnown =
    stored.startedWithPepperVersion === started.startedWithPepperVersion &&
    stored.startedWithMasterKeyVersion === started.startedWithMasterKeyVersion;
  if (!isKnown) await updateStoredSecrets(config, { ...started });
}

const fileOf = ({ dataDir }: Config): string => join(dataDir, 'secrets.json');

async function readStoredSecrets(file: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>; // written below
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Error(
      `${file} cannot be read. Without this file the keys and signing secrets of this installation are lost.`,
      {
        cause: error,
      },
    );
  }
}

// Written completely before it gets its name: half a file would lose every key.
async function writeStoredSecrets(file: string, secrets: Record<string, string>): Promise<void> {
  const handle = await open(`${file}.new`, 'w', 0o600);
  await handle.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
  await handle.sync();
  await handle.close();
  await rename(`${file}.new`, file);
}
