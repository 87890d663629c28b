// The only reader of the process's clocks. Decisions about access use the database's clock instead.

/** Wall-clock time in milliseconds since the Unix epoch. */
export function nowMs(): number {
  return Date.now();
}

/** Monotonic time in milliseconds, fractional: for durations, leases and deadlines. */
export function monotonicMs(): number {
  return performance.now();
}

/** Whole microseconds since a time of `monotonicMs`. */
export function microsecondsSince(startedAtMs: number): number {
  return Math.round((monotonicMs() - startedAtMs) * 1000);
}
