// Reads secrets that are rotated, by version: the current one, and others that are still needed.

import { type Secret, secret } from '../kit/crypto/secret.ts';
import { type Config, ConfigError } from './config.ts';
import type { SettingName } from './settings.ts';

const MAX_VERSION = 32_767;

export interface SecretVersions {
  current: number;
  keys: Record<number, Secret>;
}

interface VersionedSecretSetting {
  /** The word for such a secret in messages. */
  name: string;
  version: SettingName;
  others: SettingName;
  /** Returns what makes the text of a secret invalid, as the end of a sentence; undefined if it is valid. */
  refuse(text: string): string | undefined;
}

/** Reads the versions. `current` is the text of the current one, which may have been generated. */
export function readVersions(
  config: Pick<Config, 'find'>,
  current: Secret,
  setting: VersionedSecretSetting,
): SecretVersions {
  const { name, others } = setting;
  const version = readVersion(config.find(setting.version) ?? '1', name, setting.version);
  const keys: Record<number, Secret> = { [version]: current };
  // A secret may itself contain commas and colons.
  for (const entry of config.find(others)?.split(/,\s*(?=\d+:)/) ?? []) {
    const [, number, text = ''] = /^(\d+):(.*)$/s.exec(entry) ?? [];
    if (number === undefined) throw new ConfigError(`${others} must be \`1:<${name}>,2:<${name}>\`.`);
    const other = readVersion(number, name, others);
    if (keys[other]) throw new ConfigError(`${others} names ${name} ${other}, which is there already.`);
    const refusal = setting.refuse(text);
    if (refusal !== undefined) throw new ConfigError(`${others}: ${name} ${other} ${refusal}.`);
    keys[other] = secret(text);
  }
  return { current: version, keys };
}

function readVersion(text: string, name: string, setting: SettingName): number {
  const version = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (version < 1 || version > MAX_VERSION) {
    throw new ConfigError(
      `${setting}: "${text}" is not a version of a ${name}. A version is a whole number from 1 to 32,767.`,
    );
  }
  return version;
}
