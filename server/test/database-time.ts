// Returns when the database's clock shows a time, by the monotonic clock of this process. The result is a lower and an
// upper bound, because reading the database's clock takes time. The clocks are compared before and after, so that an
// adjustment of the clock is noticed.
import { setTimeout as pause } from 'node:timers/promises';

/** Runs a statement as a superuser. */
export type Superuser = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

const CLOCK_SAMPLES = 5;

/**
 * Returns bounds of the difference between the database's clock and this process's clock in milliseconds: the best of
 * several readings.
 */
async function offsetOf(superuser: Superuser): Promise<{ least: number; most: number }> {
  let best = { least: -Infinity, most: Infinity };
  for (let look = 0; look < CLOCK_SAMPLES; look++) {
    const beganMs = performance.now();
    const [row] = await superuser<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    );
    const endedMs = performance.now();
    const ms = row?.ms ?? Number.NaN;
    const seen = { least: ms - endedMs, most: ms - beganMs };
    if (seen.most - seen.least < best.most - best.least) best = seen;
  }
  return best;
}

/**
 * Returns a function that resolves after the time with its bounds. `momentMs` is in milliseconds since the epoch by the
 * database's clock.
 */
export async function boundDatabaseTime(
  superuser: Superuser,
  momentMs: number,
): Promise<() => Promise<{ askedMs: number; answeredMs: number }>> {
  const before = await offsetOf(superuser);
  return async () => {
    await pause(momentMs - before.least - performance.now());
    const after = await offsetOf(superuser);
    return {
      askedMs: momentMs - Math.max(before.most, after.most),
      answeredMs: momentMs - Math.min(before.least, after.least),
    };
  };
}
