// The master keys that the settings name: the current one seals, the others open what is sealed under them yet.

import type { Environment } from '../access/authority/index.ts';
import { deriveKey, isMasterKey, type MasterKeys } from '../kit/crypto/seal.ts';
import { type Secret, secret } from '../kit/crypto/secret.ts';
import type { Config } from './config.ts';
import { settingOf } from './plane-settings.ts';
import { readVersions } from './versions.ts';

const idOf = (version: number | string): string => `m${version}`;

/** `current` is the text of the current one, which may have been generated. */
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

/** Whoever gives both environments one master key still has positions of one that are none in the other. */
const LABELS = { sandbox: 'slipway cursors', production: 'slipway cursors of production' };

/** What signs cursors, and what opens those that were handed out under another master key: receivers keep their places. */
export function cursorKeysOf({ current, keys }: MasterKeys, environment: Environment): Secret[] {
  const ids = [current, ...Object.keys(keys).filter((keyId) => keyId !== current)];
  return ids.flatMap((keyId) => {
    const key = keys[keyId];
    return key ? [secret(deriveKey(key, LABELS[environment]))] : [];
  });
}
