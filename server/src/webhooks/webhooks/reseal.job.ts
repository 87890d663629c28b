// Reseals values from an earlier master key to the current one, a few endpoints at a time, while deliveries run. Logs
// how many values are left, and when an earlier key is no longer needed.

import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import type { Log } from '../../kit/telemetry/log.ts';
import { earlierKeys, resealRow } from './sealed-columns.ts';
import { countSealed, lockSealedRows, updateSealedRow } from './secret-store.ts';

// Repeated, because a process that does not know the new key yet still seals under the earlier one.
const RESEAL_EVERY_MS = 5 * 60_000;
const AT_ONCE = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

export function startResealing(
  worker: Database,
  masterKeys: MasterKeys,
  log: Log,
  onError: (error: unknown) => void,
): Loop {
  const run = async (): Promise<void> => {
    await resealAll(worker, masterKeys, log);
    await logMasterKeys(worker, masterKeys, log);
  };
  return startLoop(run, RESEAL_EVERY_MS, onError);
}

/**
 * Reseals all values. A run can be interrupted anywhere and overlap with others, because each run continues with the
 * values that are left.
 */
export async function resealAll(worker: Database, masterKeys: MasterKeys, log: Log, atOnce = AT_ONCE): Promise<void> {
  if (earlierKeys(masterKeys).length === 0) return;
  let after: string | undefined = FIRST;
  while (after !== undefined) after = await resealBatch(worker, masterKeys, log, after, atOnce);
}

/** Reseals a batch. Returns the last endpoint of the batch; undefined after the last batch. */
async function resealBatch(
  worker: Database,
  masterKeys: MasterKeys,
  log: Log,
  after: string,
  atOnce: number,
): Promise<string | undefined> {
  return worker.transaction(async (tx) => {
    const rows = await lockSealedRows(tx, earlierKeys(masterKeys), after, atOnce);
    for (const row of rows) {
      try {
        updateSealedRow(tx, resealRow(row, masterKeys));
      } catch (error) {
        // A value that cannot be opened does not prevent the others from being resealed.
        log.error('sealed_value.open_failed: A sealed value of an endpoint could not be opened.', error, {
          endpointId: row.endpoint_id,
        });
      }
    }
    return rows.at(-1)?.endpoint_id;
  });
}

/** Logs the values per master key. Logs nothing if there is only one master key and everything is sealed under it. */
export async function logMasterKeys(worker: Database, masterKeys: MasterKeys, log: Log): Promise<void> {
  const counts = new Map((await countSealed(worker)).map((row) => [row.master_key, row.count]));
  for (const [masterKey, values] of counts) {
    if (Object.hasOwn(masterKeys.keys, masterKey)) continue;
    log.error(
      'master_key.missing: Sealed values require a master key that no setting names.',
      'No setting names this master key.',
      { masterKey, values },
    );
  }
  for (const masterKey of earlierKeys(masterKeys)) {
    const values = counts.get(masterKey) ?? 0;
    const message =
      values === 0
        ? 'master_key.unused: No sealed value requires this master key.'
        : 'master_key.in_use: Sealed values still require an earlier master key.';
    log.info(message, { masterKey, values });
  }
}
