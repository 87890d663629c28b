// Measures how late timers are, for monitoring, and to detect a process that can no longer keep its deadlines.
import { monotonicMs } from '../../kit/flow/clock.ts';
import { createHistogram, type HistogramReading } from '../../kit/telemetry/histogram.ts';

export interface EventLoopMonitor {
  lagMs(): HistogramReading;
  /** Returns the smallest lag of the last few measurements, which is high only if the loop is late repeatedly. */
  lastingLagMs(): number;
  stop(): void;
}

const EVERY_MS = 100;
const CHECKS = 3;
const BOUNDS_MS = [1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000];

export function monitorEventLoop(): EventLoopMonitor {
  const histogram = createHistogram(BOUNDS_MS);
  let last: number[] = [];
  let checkedAtMs = monotonicMs();
  const timer = setInterval(() => {
    const atMs = monotonicMs();
    const lagMs = Math.max(0, atMs - checkedAtMs - EVERY_MS);
    checkedAtMs = atMs;
    histogram.record(lagMs);
    last = [...last, lagMs].slice(-CHECKS);
  }, EVERY_MS).unref();
  return {
    lagMs: histogram.read,
    lastingLagMs: () => (last.length < CHECKS ? 0 : Math.min(...last)),
    stop: () => clearInterval(timer),
  };
}
