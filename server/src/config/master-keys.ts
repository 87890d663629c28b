// Reads the master keys from the settings: the current one seals, the others open values that are still sealed under
// them.

import type { Environment } from '../access/authority/index.ts';
import { deriveKey, isMasterKey, type MasterKeys } from '../kit/crypto/seal.ts';
import { type Secret, secret } from '../kit/crypto/secret.ts';
import type { Config } from './config.ts';
import { settingOf } from './plane-settings.ts';
import { readVersions } from './secret-versions.ts';

const idOf = (version: number | string): string => `m${version}`;

/** Reads the keys. `current` is the text of the current one, which may have been generated. */
export function readMasterKeys(
  config: Pick<Config, 'find'>,
  current: Secret,
  environment: Environment = 'sandbox',
): MasterKeys {
  const versions = readVersions(config, current, {
    name: 'master key',
    version: settingOf(environment, 'MASTER_KEY_VERSION'),
    others: settingOf(environment, 'OTHER_MASTER_KEYS'),
    refuse: (text) => (isMasterKey(text) ? undefined : 'is not 32 bytes in base64'),
  });
  const keys = Object.entries(versions.keys).map(([version, key]) => [idOf(version), key]);
  return { current: idOf(versions.current), keys: Object.fromEntries(keys) };
}

/** Different labels make a cursor of one environment invalid in the other, even if both have the same master key. */
const LABELS = { sandbox: 'slipway cursors', production: 'slipway cursors of production' };

/**
 * Returns the key that signs cursors, and the keys that open cursors issued under other master keys. So readers keep
 * their positions during a rotation.
 */
export function cursorKeysOf({ current, keys }: MasterKeys, environment: Environment): Secret[] {
  const ids = [current, ...Object.keys(keys).filter((keyId) => keyId !== current)];
  return ids.flatMap((keyId) => {
    const key = keys[keyId];
    return key ? [secret(deriveKey(key, LABELS[environment]))] : [];
  });
}
