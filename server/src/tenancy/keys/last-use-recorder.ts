// Records the time and the address of the last use of each key.
import type { Database } from '../../kit/db/db.ts';
import { createAggregator } from '../../kit/flow/aggregator.ts';
import { type KeyUse, upsertKeyUses } from './use-store.ts';

interface LastUseRecorder {
  record(use: KeyUse): void;
  /** Writes the buffered uses. Never rejects: uses that cannot be written are kept for the next flush. */
  flush(): Promise<void>;
}

export function createLastUseRecorder(db: Database, onError: (error: unknown) => void): LastUseRecorder {
  const noted = createAggregator<KeyUse>({ merge: laterUse, write: (uses) => upsertKeyUses(db, uses), onError });
  return { record: (use) => noted.add(use.keyId, use), flush: noted.flush };
}

/** Returns the later of two uses. A use by a person has no address and keeps the address of the other use. */
export function laterUse(one: KeyUse, other: KeyUse): KeyUse {
  const [earlier, later] = one.atMs > other.atMs ? [other, one] : [one, other];
  return later.clientAddress === null && earlier.clientAddress !== null
    ? { ...later, clientAddress: earlier.clientAddress }
    : later;
}
