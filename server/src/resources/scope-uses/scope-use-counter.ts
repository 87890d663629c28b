// Counts the scopes that requests and deliveries use, per key, scope and day. Counts are buffered in memory and written
// every few seconds.
import type { Database } from '../../kit/db/db.ts';
import { createAggregator } from '../../kit/flow/aggregator.ts';
import type { ScopeUse } from './scope-use.ts';
import { addScopeUses } from './store.ts';

export interface ScopeUseCounter {
  note(use: Pick<ScopeUse, 'appId' | 'keyId' | 'serverId' | 'scope' | 'isOfKey'> & { atMs: number }): void;
  /** Writes the counts. Never rejects: counts that cannot be written are kept for the next flush. */
  flush(): Promise<void>;
}

const DAY_MS = 86_400_000;

/** Returns a function that formats each day only once, and not for every request. */
function dayFormat(): (atMs: number) => string {
  let known = -1;
  let text = '';
  return (atMs) => {
    const day = Math.floor(atMs / DAY_MS);
    if (day !== known) {
      known = day;
      text = new Date(day * DAY_MS).toISOString().slice(0, 10);
    }
    return text;
  };
}

export function createScopeUseCounter(db: Database, onError: (error: unknown) => void): ScopeUseCounter {
  const dayOf = dayFormat();
  const counts = createAggregator<ScopeUse>({
    merge: (one, other) => ({ ...one, uses: one.uses + other.uses }),
    write: (uses) => addScopeUses(db, uses),
    onError,
  });
  return {
    note({ atMs, appId, keyId, serverId, scope, isOfKey }) {
      const day = dayOf(atMs);
      counts.add(`${keyId} ${serverId} ${scope} ${isOfKey} ${day}`, {
        appId,
        keyId,
        serverId,
        scope,
        isOfKey,
        day,
        uses: 1,
      });
    },
    flush: counts.flush,
  };
}
