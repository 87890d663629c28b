// Destroys the keys of captures whose time has ended, and then deletes their rows. Seals living keys under the current
// master key, so that a rotation of the master key waits for no capture.
import type { MasterKeys } from '../../kit/crypto/seal.ts';
import { reseal } from '../../kit/crypto/seal.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { traceJob } from '../../kit/telemetry/trace.ts';
import { earlierKeys } from '../../webhooks/webhooks/index.ts';
import { keyBinding } from './data-key.ts';
import {
  deleteCaptures,
  deleteContents,
  deleteDestroyedKey,
  deleteOldGaps,
  destroyAllKeys,
  destroyExpiredKeys,
  findDestroyedKey,
  lockKeysOf,
  updateSealedKey,
} from './expiry-store.ts';

const RUN_EVERY_MS = 60_000;
/** Bounds the duration of a statement. */
const ROWS_AT_ONCE = 2_000;

interface ExpiryOptions {
  masterKeys: MasterKeys;
  /** False if the operator forbids captures: then all keys are destroyed. */
  isAllowed: boolean;
}

/** Starts the job. `worker` connects as slipway_worker. */
export function startCaptureExpiry(worker: Database, options: ExpiryOptions, onError: (error: unknown) => void): Loop {
  return startLoop(() => traceJob('capture expiry', () => expireCaptures(worker, options)), RUN_EVERY_MS, onError);
}

export async function expireCaptures(
  worker: Database,
  { masterKeys, isAllowed }: ExpiryOptions,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<void> {
  // The keys come first: without them, the rows are unreadable.
  await (isAllowed ? destroyExpiredKeys(worker) : destroyAllKeys(worker));
  await resealKeys(worker, masterKeys, rowsAtOnce);
  for (let key = await findDestroyedKey(worker); key; key = await findDestroyedKey(worker)) {
    while ((await deleteCaptures(worker, key, rowsAtOnce)) === rowsAtOnce);
    while ((await deleteContents(worker, key, rowsAtOnce)) === rowsAtOnce);
    await deleteDestroyedKey(worker, key);
  }
  while ((await deleteOldGaps(worker, rowsAtOnce)) === rowsAtOnce);
}

async function resealKeys(worker: Database, masterKeys: MasterKeys, atOnce: number): Promise<void> {
  const earlier = earlierKeys(masterKeys);
  if (earlier.length === 0) return;
  let count: number;
  do {
    count = await worker.transaction(async (tx) => {
      const rows = await lockKeysOf(tx, earlier, atOnce);
      for (const { key_id, sealed_key } of rows)
        await updateSealedKey(tx, key_id, reseal(sealed_key, keyBinding(key_id), masterKeys));
      return rows.length;
    });
  } while (count === atOnce);
}
