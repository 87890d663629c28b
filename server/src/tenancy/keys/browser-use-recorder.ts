// Writes a notice for each key that a page in a browser used. Uses are buffered in memory and written every few
// seconds, so no request waits for a notice. Memory is bounded: for each valid key the buffer holds at most as many
// origins as the key may have notices per day.

import type { BrowserUse } from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { createAggregator } from '../../kit/flow/aggregator.ts';
import { insertNotice } from '../../platform/notices/index.ts';
import { findFreeSlot, listUnreported, lockPageSlots, MAX_ORIGINS_A_DAY } from './browser-use-store.ts';

interface BrowserUseRecorder {
  record(use: BrowserUse): void;
  /** Writes the notices. Never rejects: uses that cannot be written are kept for the next flush. */
  flush(): Promise<void>;
}

interface KeyBrowserUses extends Pick<BrowserUse, 'appId' | 'keyId'> {
  origins: ReadonlySet<string | null>;
}

function merge(one: KeyBrowserUses, other: KeyBrowserUses): KeyBrowserUses {
  if ([...other.origins].every((origin) => one.origins.has(origin))) return one;
  const origins = new Set([...one.origins, ...other.origins].slice(0, MAX_ORIGINS_A_DAY));
  return { ...one, origins };
}

/** Creates the buffer. `worker` connects as slipway_worker, the role that writes notices. */
export function createBrowserUseRecorder(worker: Database, onError: (error: unknown) => void): BrowserUseRecorder {
  const uses = createAggregator<KeyBrowserUses>({
    merge,
    write: (gathered) =>
      report(
        worker,
        gathered.flatMap(({ origins, ...key }) => [...origins].map((pageOrigin) => ({ ...key, pageOrigin }))),
      ),
    onError,
  });
  return {
    record: ({ appId, keyId, pageOrigin }) => uses.add(keyId, { appId, keyId, origins: new Set([pageOrigin]) }),
    flush: uses.flush,
  };
}

/** Writes each key in its own transaction, so that two nodes that write the same keys cannot deadlock. */
async function report(worker: Database, uses: readonly BrowserUse[]): Promise<void> {
  for (const { page_origin: pageOrigin, ...key } of await listUnreported(worker, uses)) {
    await worker.transaction(async (tx) => {
      await lockPageSlots(tx, key.key_id);
      const slot = await findFreeSlot(tx, key);
      if (slot !== undefined) await insertNotice(tx, key, { kind: 'key_in_browser', pageOrigin, slot });
    });
  }
}
