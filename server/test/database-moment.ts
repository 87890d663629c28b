// When, by this process's monotonic clock, the database's clock shows a moment: between two bounds, because the answer to
// "what time is it?" takes a while. Asked before and after the moment, so that a clock that is being set right is seen.
import { setTimeout as pause } from 'node:timers/promises';

/** Runs a statement with every right. */
export type Superuser = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

const LOOKS = 5;

/** The database's clock minus ours, in milliseconds, as exactly as the best of a few looks shows it. */
async function offsetOf(superuser: Superuser): Promise<{ least: number; most: number }> {
  let best = { least: -Infinity, most: Infinity };
  for (let look = 0; look < LOOKS; look++) {
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

/** `momentMs` is in milliseconds since the epoch by the database's clock; the function resolves when it is over. */
export async function databaseMoment(
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
