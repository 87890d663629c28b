// The secrets of an installation in its backup: what they are when it is made, and where they go when it is restored.
import { createHash, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Config, ConfigError } from '../config.ts';
import { changeKept, findSecrets } from '../secrets.ts';
import type { SettingName } from '../settings.ts';
import type { BackupSecrets } from './backup-format.ts';

type Name = 'pepper' | 'masterKey' | 'managementKey' | 'consoleSecret';

export const BACKED_UP: readonly { name: Name; setting: SettingName }[] = [
  { name: 'pepper', setting: 'SLIPWAY_SANDBOX_PEPPER' },
  { name: 'masterKey', setting: 'SLIPWAY_SANDBOX_MASTER_KEY' },
  { name: 'managementKey', setting: 'SLIPWAY_SANDBOX_MANAGEMENT_KEY' },
  { name: 'consoleSecret', setting: 'SLIPWAY_CONSOLE_SECRET' },
];

/** Of those that are rotated: which version it is, and which others are needed. */
const VERSIONS = [
  {
    of: 'pepper',
    version: 'pepperVersion',
    others: 'otherPeppers',
    setting: 'SLIPWAY_SANDBOX_PEPPER_VERSION',
    othersSetting: 'SLIPWAY_SANDBOX_OTHER_PEPPERS',
  },
  {
    of: 'masterKey',
    version: 'masterKeyVersion',
    others: 'otherMasterKeys',
    setting: 'SLIPWAY_SANDBOX_MASTER_KEY_VERSION',
    othersSetting: 'SLIPWAY_SANDBOX_OTHER_MASTER_KEYS',
  },
] as const;

export async function readBackupSecrets(config: Config): Promise<BackupSecrets> {
  const { secrets, rotation } = await findSecrets(config);
  const found: BackupSecrets = {};
  for (const { name } of BACKED_UP) {
    const value = secrets[name]?.reveal();
    if (value !== undefined) found[name] = value;
  }
  for (const { version, others, setting, othersSetting } of VERSIONS) {
    found[version] = rotation.find(setting) ?? '1';
    const beside = rotation.find(othersSetting);
    if (beside !== undefined) found[others] = beside;
  }
  return found;
}

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

/** Before anything is restored: that it could be opened with what is set, and that no other secrets are overwritten. */
export async function refuseOtherSecrets(config: Config, backup: BackupSecrets): Promise<void> {
  const { file } = await findSecrets(config);
  if (existsSync(file))
    throw new ConfigError(
      `${file} has the secrets of another installation. A restore begins with a data folder without it.`,
    );
  for (const { name, setting } of BACKED_UP) {
    const given = config.findSecret(setting)?.reveal();
    if (given === undefined || isSame(given, backup[name] ?? '')) continue;
    throw new ConfigError(`${setting} is another than that of the backup: leave it out, or give that one.`);
  }
  for (const { of, version, setting } of VERSIONS) {
    const secretSetting = BACKED_UP.find(({ name }) => name === of)?.setting;
    const given = config.find(setting) ?? '1';
    if (!secretSetting || config.find(secretSetting) === undefined || given === (backup[version] ?? '1')) continue;
    throw new ConfigError(`${setting} is ${given}, and ${backup[version]} in the backup.`);
  }
}

/** What no setting gives goes into the data folder; the file that holds it, undefined when nothing does. */
export async function keepSecrets(config: Config, backup: BackupSecrets): Promise<string | undefined> {
  const unset = BACKED_UP.filter(({ setting }) => config.find(setting) === undefined).map(({ name }) => name);
  const rotated = VERSIONS.filter(({ of }) => unset.includes(of)).flatMap(({ version, others }) => [version, others]);
  const kept = [...unset, ...rotated].flatMap((name) => (backup[name] === undefined ? [] : [[name, backup[name]]]));
  if (kept.length === 0) return undefined;
  await changeKept(config, Object.fromEntries(kept));
  return (await findSecrets(config)).file;
}
