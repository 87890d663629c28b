// How late timers are: for monitoring, and to be told from a process that can keep no promise any more.
import { monotonicMs } from '../../kit/flow/clock.ts';
import { createHistogram, type HistogramReading } from '../../kit/telemetry/histogram.ts';

export interface LoopWatch {
  lagMs(): HistogramReading;
  /** The least lag of the last few looks: high where the loop is late time after time, and not only once. */
  lastingLagMs(): number;
  stop(): void;
}

const EVERY_MS = 100;
const LOOKS = 3;
const BOUNDS_MS = [1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000];

export function watchLoop(): LoopWatch {
  const histogram = createHistogram(BOUNDS_MS);
  let last: number[] = [];
  let lookedAtMs = monotonicMs();
  const timer = setInterval(() => {
    const atMs = monotonicMs();
    const lagMs = Math.max(0, atMs - lookedAtMs - EVERY_MS);
    lookedAtMs = atMs;
    histogram.note(lagMs);
    last = [...last, lagMs].slice(-LOOKS);
  }, EVERY_MS).unref();
  return {
    lagMs: histogram.read,
    lastingLagMs: () => (last.length < LOOKS ? 0 : Math.min(...last)),
    stop: () => clearInterval(timer),
  };
}
