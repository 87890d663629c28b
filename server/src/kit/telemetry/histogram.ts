// A histogram of values, for monitoring of durations that are too frequent to be stored one by one.

export interface HistogramReading {
  /** Cumulative counts by upper bound. Values above the last bound are only in `count`. */
  buckets: readonly { atMost: number; count: number }[];
  count: number;
  sum: number;
}

export interface Histogram {
  record(value: number): void;
  read(): HistogramReading;
}

/** Creates a histogram. `bounds` must be in ascending order. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0);
  let count = 0;
  let sum = 0;
  return {
    record(value) {
      count += 1;
      sum += value;
      const at = bounds.findIndex((bound) => value <= bound);
      if (at !== -1) counts[at] = (counts[at] ?? 0) + 1;
    },
    read() {
      let below = 0;
      const buckets = bounds.map((atMost, at) => {
        below += counts[at] ?? 0;
        return { atMost, count: below };
      });
      return { buckets, count, sum };
    },
  };
}
