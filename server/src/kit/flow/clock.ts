// The only reader of the process's clocks. Decisions about access use the database's clock instead.

/** Returns the wall-clock time in milliseconds since the Unix epoch. */
export function nowMs(): number {
  return Date.now();
}

/** Returns the monotonic time in fractional milliseconds, for durations, leases and deadlines. */
export function monotonicMs(): number {
  return performance.now();
}

/** Returns the whole microseconds since a time of `monotonicMs`. */
export function microsecondsSince(startedAtMs: number): number {
  return Math.round((monotonicMs() - startedAtMs) * 1000);
}
