// Whether a worker stands still, as this process sees it: by its own monotonic clock, which no other clock's jump touches.
import { monotonicMs } from '../../kit/clock.ts';

/** Whether a worker's beat, read after `askedMs`, has been seen unchanged for that long. */
export function watchBeats(forMs: number): (workerId: string, beat: number, askedMs: number) => boolean {
  const seen = new Map<string, { beat: number; sinceMs: number }>();
  return (workerId, beat, askedMs) => {
    const last = seen.get(workerId);
    if (last?.beat === beat) return askedMs - last.sinceMs >= forMs;
    // From after the answer to before the question: the shortest time that the beat can have stood still.
    seen.set(workerId, { beat, sinceMs: monotonicMs() });
    return false;
  };
}
