// Notes when each key was last used, and from where.
import type { Database } from '../../kit/db/db.ts';
import { gather } from '../../kit/flow/gather.ts';
import { type KeyUse, upsertKeyUses } from './use-store.ts';

export interface LastUses {
  note(use: KeyUse): void;
  /** Writes what is noted so far. Never rejects: what cannot be written now is kept for the next time. */
  flush(): Promise<void>;
}

export function createLastUses(db: Database, onError: (error: unknown) => void): LastUses {
  const noted = gather<KeyUse>({ merge: laterUse, write: (uses) => upsertKeyUses(db, uses), onError });
  return { note: (use) => noted.add(use.keyId, use), flush: noted.flush };
}

/** The later of two uses. One without an address, which a person made, keeps that of the other. */
export function laterUse(one: KeyUse, other: KeyUse): KeyUse {
  const [earlier, later] = one.atMs > other.atMs ? [other, one] : [one, other];
  return later.clientAddress === null && earlier.clientAddress !== null
    ? { ...later, clientAddress: earlier.clientAddress }
    : later;
}
