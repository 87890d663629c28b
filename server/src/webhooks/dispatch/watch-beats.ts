// Whether a worker stands still, as this process sees it: by its own monotonic clock, which no other clock's jump touches.
import { monotonicMs } from '../../kit/flow/clock.ts';
import type { BeatRow } from './worker-store.ts';

/** Whether a worker's beat, read after `askedMs`, has been seen unchanged for `forMs`. */
export function watchBeats(): (row: BeatRow, askedMs: number, forMs: number) => boolean {
  const seen = new Map<string, { beat: number; sinceMs: number }>();
  return ({ worker_id, beat }, askedMs, forMs) => {
    const last = seen.get(worker_id);
    if (last?.beat === beat) return askedMs - last.sinceMs >= forMs;
    // From after the answer to before the question: the shortest time that the beat can have stood still.
    seen.set(worker_id, { beat, sinceMs: monotonicMs() });
    return false;
  };
}
