// Counts requests that use a deprecated part of the API, per app.

import type { Database } from '../../kit/db/db.ts';
import { createAggregator } from '../../kit/flow/aggregator.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { MAX_NEWEST_REQUESTS } from './deprecated-use.ts';
import { addUses, type DeprecatedUseCount } from './store.ts';

interface UseCounter {
  count(appId: string, deprecationId: string, requestUuid: string): void;
  /** Writes the counts so far. Never rejects: counts that cannot be written are kept for the next flush. */
  flush(): Promise<void>;
}

export function createUseCounter(db: Database, onError: (error: unknown) => void): UseCounter {
  const counted = createAggregator<DeprecatedUseCount>({
    merge: (one, other) => ({
      ...(one.lastUsedAt > other.lastUsedAt ? one : other),
      uses: one.uses + other.uses,
      newestRequests: newestOf([...one.newestRequests, ...other.newestRequests]),
    }),
    write: (uses) => addUses(db, uses),
    onError,
  });
  return {
    count: (appId, deprecationId, requestUuid) =>
      counted.add(`${appId} ${deprecationId}`, {
        appId,
        deprecationId,
        uses: 1,
        newestRequests: [requestUuid],
        lastUsedAt: new Date(nowMs()).toISOString(),
      }),
    flush: counted.flush,
  };
}

/** Returns the newest requests, newest first. A request's UUID begins with its time. */
const newestOf = (requests: readonly string[]): string[] =>
  [...requests].sort().reverse().slice(0, MAX_NEWEST_REQUESTS);
