// How often something took at most so long: what monitoring reads of a duration that is waited for too often to be kept.

export interface HistogramReading {
  /** By upper bound, each with all that was below it too; what was longer than the last is in `count` alone. */
  buckets: readonly { atMost: number; count: number }[];
  count: number;
  sum: number;
}

export interface Histogram {
  note(value: number): void;
  read(): HistogramReading;
}

/** `bounds` in ascending order. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0);
  let count = 0;
  let sum = 0;
  return {
    note(value) {
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
