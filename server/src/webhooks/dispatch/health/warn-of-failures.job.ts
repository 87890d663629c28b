// Notifies organisations of endpoints whose attempts all failed for one day and for three days, and of a success after
// that. Disables endpoints after five days. Several workers may run this concurrently: each step happens once, in the
// transaction that writes its notice.
import type { Database } from '../../../kit/db/db.ts';
import { type Loop, startLoop } from '../../../kit/flow/loop.ts';
import { insertNotice } from '../../../platform/notices/index.ts';
import { disableFailing, markRecovered, markWarned, toNoticeEndpoint } from './health-store.ts';

const RUN_EVERY_MS = 60_000;
const BATCH = 100;

/**
 * Each step also follows the time of the previous notice by that many days, so no endpoint is disabled without both
 * warnings.
 */
const WARNINGS = [
  { days: 1, before: 0 },
  { days: 3, before: 1 },
] as const;
const DISABLING = { days: 5, before: 3, reason: 'Every attempt failed for five days.' } as const;

export function startFailureWarnings(worker: Database, onError: (error: unknown) => void): Loop {
  return startLoop(() => warnOfFailures(worker), RUN_EVERY_MS, onError);
}

export async function warnOfFailures(worker: Database): Promise<void> {
  await inBatches(worker, async (tx) => {
    const rows = await markRecovered(tx, BATCH);
    for (const row of rows) {
      await insertNotice(tx, row, { kind: 'endpoint_recovered', endpoint: toNoticeEndpoint(row) });
    }
    return rows.length;
  });
  for (const warning of WARNINGS) {
    await inBatches(worker, async (tx) => {
      const rows = await markWarned(tx, warning, BATCH);
      for (const row of rows) {
        const endpoint = toNoticeEndpoint(row);
        await insertNotice(tx, row, { kind: 'endpoint_failing', endpoint, daysFailing: warning.days });
      }
      return rows.length;
    });
  }
  await inBatches(worker, async (tx) => {
    const rows = await disableFailing(tx, DISABLING, BATCH);
    for (const row of rows) {
      const endpoint = toNoticeEndpoint(row);
      await insertNotice(tx, row, { kind: 'endpoint_disabled', endpoint, reason: DISABLING.reason });
    }
    return rows.length;
  });
}

async function inBatches(worker: Database, step: Parameters<typeof worker.transaction<number>>[0]): Promise<void> {
  while ((await worker.transaction(step)) === BATCH);
}
