// Counts uses of deprecated operations and fields per app.

import type { Database } from '../../kit/db/db.ts';
import { createAggregator } from '../../kit/flow/aggregator.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { addUses, type DeprecatedUseCount } from './store.ts';

export interface UseCounter {
  count(appId: string, deprecationId: string): void;
  /** Writes the counts so far. Never rejects: counts that cannot be written are kept for the next flush. */
  flush(): Promise<void>;
}

export function createUseCounter(db: Database, onError: (error: unknown) => void): UseCounter {
  const counted = createAggregator<DeprecatedUseCount>({
    merge: (one, other) => ({
      ...(one.lastUsedAt > other.lastUsedAt ? one : other),
      uses: one.uses + other.uses,
    }),
    write: (uses) => addUses(db, uses),
    onError,
  });
  return {
    count: (appId, deprecationId) =>
      counted.add(`${appId} ${deprecationId}`, {
        appId,
        deprecationId,
        uses: 1,
        lastUsedAt: new Date(nowMs()).toISOString(),
      }),
    flush: counted.flush,
  };
}
