// Writes a notice for each key that a page in a browser used. Uses are buffered in memory and written every few
// seconds, so no request waits for a notice. Memory is bounded: for each valid key the buffer holds at most as many
// origins as the key may have notices per day.

import type { BrowserUse } from '../../access/authority/index.ts';
import type { Database } from '../../kit/db/db.ts';
import { gather } from '../../kit/flow/gather.ts';
import { insertNotice } from '../../platform/notices/index.ts';
import { findFreeSlot, holdPages, listUnreported, MAX_ORIGINS_A_DAY } from './browser-use-store.ts';

export interface BrowserUses {
  note(use: BrowserUse): void;
  /** Writes the notices. Never rejects: uses that cannot be written are kept for the next flush. */
  flush(): Promise<void>;
}

interface UsesOfKey extends Pick<BrowserUse, 'appId' | 'keyId'> {
  origins: ReadonlySet<string | null>;
}

function merge(one: UsesOfKey, other: UsesOfKey): UsesOfKey {
  if ([...other.origins].every((origin) => one.origins.has(origin))) return one;
  const origins = new Set([...one.origins, ...other.origins].slice(0, MAX_ORIGINS_A_DAY));
  return { ...one, origins };
}

/** Creates the buffer. `worker` connects as slipway_worker, the role that writes notices. */
export function createBrowserUses(worker: Database, onError: (error: unknown) => void): BrowserUses {
  const uses = gather<UsesOfKey>({
    merge,
    write: (gathered) =>
      report(
        worker,
        gathered.flatMap(({ origins, ...key }) => [...origins].map((pageOrigin) => ({ ...key, pageOrigin }))),
      ),
    onError,
  });
  return {
    note: ({ appId, keyId, pageOrigin }) => uses.add(keyId, { appId, keyId, origins: new Set([pageOrigin]) }),
    flush: uses.flush,
  };
}

/** Writes each key in its own transaction, so that two nodes that write the same keys cannot deadlock. */
async function report(worker: Database, uses: readonly BrowserUse[]): Promise<void> {
  for (const { page_origin: pageOrigin, ...key } of await listUnreported(worker, uses)) {
    await worker.transaction(async (tx) => {
      await holdPages(tx, key.key_id);
      const slot = await findFreeSlot(tx, key);
      if (slot !== undefined) await insertNotice(tx, key, { kind: 'key_in_browser', pageOrigin, slot });
    });
  }
}
