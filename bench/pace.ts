// Load at a fixed rate, independent of slow responses.
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `run` at the rate for this many seconds. Resolves when every call has ended; rejects with the first failure.
 */
export async function atPace(perSecond: number, seconds: number, run: (index: number) => Promise<void>): Promise<void> {
  const beganMs = performance.now();
  const calls: Promise<void>[] = [];
  const failures: unknown[] = [];
  for (let index = 0; index < seconds * perSecond; index++) {
    const waitMs = beganMs + (index * 1000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    calls.push(run(index).catch((error: unknown) => void failures.push(error)));
  }
  await Promise.all(calls);
  if (failures.length > 0) throw failures[0];
}
