// Puts what is sealed under an earlier master key under the current one, a few endpoints at a time, while deliveries run; and
// tells the operator how much is left, and when the earlier one may go.

import type { MasterKeys } from '../../kit/crypto/seal.ts';
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import type { Log } from '../../kit/telemetry/log.ts';
import { earlierKeys, resealRow } from './sealed.ts';
import { countSealed, holdSealedUnder, sendSealed } from './secret-store.ts';

// A process that has not heard of the new key yet still seals under the earlier one.
const RESEAL_EVERY_MS = 5 * 60_000;
const AT_ONCE = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

export function startResealing(worker: Database, masterKeys: MasterKeys, log: Log): Loop {
  return startLoop(
    async () => {
      await resealAll(worker, masterKeys, log);
      await tellOfMasterKeys(worker, masterKeys, log);
    },
    RESEAL_EVERY_MS,
    (error) => log.error('sealed values', error),
  );
}

/** Can be ended anywhere, and be done by several at once: what is done is done, and the next one finds what is left. */
export async function resealAll(worker: Database, masterKeys: MasterKeys, log: Log, atOnce = AT_ONCE): Promise<void> {
  if (earlierKeys(masterKeys).length === 0) return;
  let after: string | undefined = FIRST;
  while (after !== undefined) after = await resealSome(worker, masterKeys, log, after, atOnce);
}

/** The endpoint up to which it came; undefined when there is none after it. */
async function resealSome(
  worker: Database,
  masterKeys: MasterKeys,
  log: Log,
  after: string,
  atOnce: number,
): Promise<string | undefined> {
  return worker.transaction(async (tx) => {
    const rows = await holdSealedUnder(tx, earlierKeys(masterKeys), after, atOnce);
    for (const row of rows) {
      try {
        sendSealed(tx, resealRow(row, masterKeys));
      } catch (error) {
        // One that cannot be opened keeps nobody else's.
        log.error('a sealed value cannot be opened', error, { endpointId: row.endpoint_id });
      }
    }
    return rows.at(-1)?.endpoint_id;
  });
}

/** Says nothing while there is one master key, and everything is sealed under it. */
export async function tellOfMasterKeys(worker: Database, masterKeys: MasterKeys, log: Log): Promise<void> {
  const counts = new Map((await countSealed(worker)).map((row) => [row.master_key, row.count]));
  for (const [masterKey, values] of counts) {
    if (Object.hasOwn(masterKeys.keys, masterKey)) continue;
    log.error('sealed values cannot be opened', `No setting names master key ${masterKey}.`, { masterKey, values });
  }
  for (const masterKey of earlierKeys(masterKeys)) {
    const values = counts.get(masterKey) ?? 0;
    const message = values === 0 ? 'a master key is no longer needed' : 'values are sealed under an earlier master key';
    log.info(message, { masterKey, values });
  }
}
