// Counts the outcomes and durations of attempts since this worker's start, for monitoring.
import { createHistogram, type Histogram, type HistogramReading } from '../../../kit/telemetry/histogram.ts';
import type { AttemptResultRow } from './attempt-store.ts';

export interface AttemptMeasure {
  /** 'response', 'redirect' or the kind of failure; 'unsent' if nothing was sent. */
  outcome: string;
  /** The next step of the delivery. */
  next: AttemptResultRow['next'];
  durationMs: HistogramReading;
}

export interface AttemptMeter {
  note(attempt: AttemptResultRow): void;
  read(): AttemptMeasure[];
}

// A receiver has 15 seconds to respond.
const BOUNDS_MS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 15_000];

export function createAttemptMeter(): AttemptMeter {
  const meters = new Map<string, Omit<AttemptMeasure, 'durationMs'> & { histogram: Histogram }>();
  return {
    note(attempt) {
      const { next } = attempt;
      const outcome = attempt.outcome ?? 'unsent';
      const key = `${outcome} ${next}`;
      const meter = meters.get(key) ?? { outcome, next, histogram: createHistogram(BOUNDS_MS) };
      meters.set(key, meter);
      meter.histogram.record(attempt.duration_us / 1000);
    },
    read: () => [...meters.values()].map(({ histogram, ...labels }) => ({ ...labels, durationMs: histogram.read() })),
  };
}
