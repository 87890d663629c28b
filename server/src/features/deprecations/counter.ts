// Counts who still uses what is deprecated: in memory, and written every few seconds for all apps at once. A process that
// dies loses at most what it counted since; a request never waits for its count.
import { nowMs } from '../../kit/clock.ts';
import type { Database } from '../../kit/db.ts';
import { addUses, type CountedUses } from './store.ts';

export interface UseCounter {
  count(appId: string, deprecationId: string): void;
  /** Writes what is counted so far. Never rejects: what cannot be written now is kept for the next time. */
  flush(): Promise<void>;
}

const FLUSH_AFTER_MS = 5_000;

export function createUseCounter(db: Database, onError: (error: unknown) => void): UseCounter {
  let counted = new Map<string, CountedUses>();
  let timer: NodeJS.Timeout | undefined;

  function add(more: CountedUses): void {
    const key = `${more.appId} ${more.deprecationId}`;
    const uses = (counted.get(key)?.uses ?? 0) + more.uses;
    counted.set(key, { ...more, uses });
    timer ??= setTimeout(() => void flush(), FLUSH_AFTER_MS).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const due = [...counted.values()];
    counted = new Map();
    if (due.length === 0) return;
    try {
      await addUses(db, due);
    } catch (error) {
      onError(error);
      for (const one of due) add(one);
    }
  }

  return {
    count: (appId, deprecationId) =>
      add({ appId, deprecationId, uses: 1, lastUsedAt: new Date(nowMs()).toISOString() }),
    flush,
  };
}
