// Before anything is started: whether the master keys at hand open what is sealed.

import { type MasterKeys, open } from '../../kit/crypto/seal.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { secretBinding } from './endpoint.ts';
import { countSealed, sampleSealed } from './secret-store.ts';

export interface MissingMasterKey {
  /** Its id. */
  masterKey: string;
  /** How many values are sealed under it. */
  values: number;
  /** No setting names it, or it is another than the one of this name was. */
  why: 'missing' | 'another';
}

/** A master key without which something stays sealed; undefined when there is none. One seal under each is tried. */
export async function findMissingMasterKey(
  worker: Queryable,
  masterKeys: MasterKeys,
): Promise<MissingMasterKey | undefined> {
  const counts = await countSealed(worker);
  const samples = await sampleSealed(worker);
  for (const { master_key: masterKey, count: values } of counts) {
    if (!Object.hasOwn(masterKeys.keys, masterKey)) return { masterKey, values, why: 'missing' };
    const sample = samples.find((row) => row.master_key === masterKey);
    if (sample && !opens(sample, masterKeys)) return { masterKey, values, why: 'another' };
  }
  return undefined;
}

function opens(sample: { endpoint_id: string; sealed_secret: Buffer }, masterKeys: MasterKeys): boolean {
  try {
    open(sample.sealed_secret, secretBinding(sample.endpoint_id), masterKeys);
    return true;
  } catch {
    return false;
  }
}
