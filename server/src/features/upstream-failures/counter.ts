// Counts how the platform fails.
import { nowMs } from '../../kit/clock.ts';
import type { Database } from '../../kit/db.ts';
import { gather } from '../../kit/gather.ts';
import { fromId } from '../../kit/ids.ts';
import { addFailures, type CountedFailure } from './store.ts';
import type { FailureKind } from './upstream-failure.ts';

export interface FailureCounter {
  count(failure: { operationId: string; kind: FailureKind; requestId: string }): void;
  /** Writes what is counted so far. Never rejects. */
  flush(): Promise<void>;
}

const HOUR_CHARACTERS = 'yyyy-mm-ddThh'.length;

export function createFailureCounter(worker: Database, onError: (error: unknown) => void): FailureCounter {
  const counted = gather<CountedFailure>({
    merge: (one, other) => ({ ...(one.lastAt > other.lastAt ? one : other), count: one.count + other.count }),
    write: (failures) => addFailures(worker, failures),
    onError,
  });
  return {
    count({ operationId, kind, requestId }) {
      const lastAt = new Date(nowMs()).toISOString();
      const failure = { operationId, kind, count: 1, lastAt, requestId: fromId('req', requestId) ?? '' };
      counted.add(`${lastAt.slice(0, HOUR_CHARACTERS)} ${operationId}`, failure);
    },
    flush: counted.flush,
  };
}
