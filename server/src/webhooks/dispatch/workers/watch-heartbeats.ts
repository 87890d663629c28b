// Detects a worker whose heartbeat has stopped, by this process's monotonic clock: jumps of other clocks do not affect
// it.
import { monotonicMs } from '../../../kit/flow/clock.ts';
import type { HeartbeatRow } from './worker-store.ts';

/**
 * Returns a function that reports whether a worker's heartbeat, read after `askedMs`, has been unchanged for `forMs`
 * milliseconds.
 */
export function watchHeartbeats(): (row: HeartbeatRow, askedMs: number, forMs: number) => boolean {
  const seen = new Map<string, { beat: number; sinceMs: number }>();
  return ({ worker_id, beat }, askedMs, forMs) => {
    const last = seen.get(worker_id);
    if (last?.beat === beat) return askedMs - last.sinceMs >= forMs;
    // Measured from after the first response until before the current query: a lower bound of the time without a
    // heartbeat.
    seen.set(worker_id, { beat, sinceMs: monotonicMs() });
    return false;
  };
}
