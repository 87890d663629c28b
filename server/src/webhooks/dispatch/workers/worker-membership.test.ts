import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../../kit/db/db.ts';
import type { Sql } from '../../../kit/db/sql.ts';
import { createWorkerMembership } from './worker-membership.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TIMING = { heartbeatMs: 250, deadAfterMs: 3_000 };

/** Returns a registered worker, and another one whose heartbeat and silence the database reports as given. */
async function deregistrationTimesOf(other: () => { beat: number; silent_ms: number }) {
  const deletedAtMs: number[] = [];
  const beganAtMs = Date.now();
  const query = async ({ text, values }: Sql) => {
    if (text.startsWith('delete from workers')) deletedAtMs.push(Date.now() - beganAtMs);
    if (!text.startsWith('select worker_id, beat, silent_ms')) return [];
    const row = { worker_id: 'other', ...other() };
    return row.silent_ms > Number(values.at(-1)) && deletedAtMs.length === 0 ? [row] : [];
  };
  // it uses nothing else of the database
  const membership = createWorkerMembership({ query } as unknown as Database, TIMING, () => {});
  await membership.sendHeartbeat();
  /** Looks for dead workers every half second. */
  async function watch(forMs: number): Promise<number[]> {
    for (let ms = 500; ms <= forMs; ms += 500) {
      vi.advanceTimersByTime(500);
      await membership.findDeregistered();
    }
    return deletedAtMs;
  }
  return { watch };
}

test('a worker whose heartbeat stops is deregistered after three seconds: it is watched from the first missing second on', async () => {
  const beganAtMs = Date.now();
  const { watch } = await deregistrationTimesOf(() => ({ beat: 7, silent_ms: Date.now() - beganAtMs }));
  expect(await watch(10_000)).toEqual([3_500]);
});

test('a worker is not deregistered for its silence alone: its heartbeat must also be seen unchanged for eight intervals', async () => {
  const { watch } = await deregistrationTimesOf(() => ({ beat: 7, silent_ms: 60_000 }));
  expect(await watch(10_000)).toEqual([2_500]);
});

test("a worker that sends heartbeats is not deregistered when the database's clock jumps", async () => {
  const { watch } = await deregistrationTimesOf(() => ({ beat: Date.now(), silent_ms: 3_600_000 }));
  expect(await watch(10_000)).toEqual([]);
});

test('a worker whose heartbeat is missing for less than three seconds is not deregistered', async () => {
  const { watch } = await deregistrationTimesOf(() => ({ beat: 7, silent_ms: 2_900 }));
  expect(await watch(10_000)).toEqual([]);
});
