// Checks before the start whether the configured master keys open all sealed values.

import { type MasterKeys, unseal } from '../../kit/crypto/seal.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { secretBinding } from './endpoint.ts';
import { countSealed, sampleSealed } from './secret-store.ts';

export interface MissingMasterKey {
  /** Id of the master key. */
  masterKey: string;
  /** Number of values that are sealed under it. */
  values: number;
  /** 'missing': no setting names the key. 'another': the setting of this name contains a different key. */
  reason: 'missing' | 'another';
}

/**
 * Returns a master key without which sealed values cannot be opened; undefined if there is none. Tries to open one
 * value per key.
 */
export async function findMissingMasterKey(
  worker: Queryable,
  masterKeys: MasterKeys,
): Promise<MissingMasterKey | undefined> {
  const counts = await countSealed(worker);
  const samples = await sampleSealed(worker);
  for (const { master_key: masterKey, count: values } of counts) {
    if (!Object.hasOwn(masterKeys.keys, masterKey)) return { masterKey, values, reason: 'missing' };
    const sample = samples.find((row) => row.master_key === masterKey);
    if (sample && !canOpen(sample, masterKeys)) return { masterKey, values, reason: 'another' };
  }
  return undefined;
}

function canOpen(sample: { endpoint_id: string; sealed_secret: Buffer }, masterKeys: MasterKeys): boolean {
  try {
    unseal(sample.sealed_secret, secretBinding(sample.endpoint_id), masterKeys);
    return true;
  } catch {
    return false;
  }
}
