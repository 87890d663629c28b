// Erases apps whose grace period has ended, a limited number of rows at a time. The job stores no progress: after a
// crash it starts again with the first table and erases the remaining rows.
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { runEach } from '../../kit/flow/run-each.ts';
import { ERASED_TABLES, eraseKeys, eraseRows, finishErasure, listDueApps } from './erase-store.ts';

const RUN_EVERY_MS = 60_000;
const APPS_AT_ONCE = 20;
/**
 * Bounds the duration of a statement: it has a timeout of seconds, and other transactions wait for the locks on erased
 * rows.
 */
const ROWS_AT_ONCE = 2_000;

/** Starts the job. `worker` connects as slipway_worker. */
export function startAppErasure(worker: Database, onError: (error: unknown) => void): Loop {
  return startLoop(() => eraseDueApps(worker, onError), RUN_EVERY_MS, onError);
}

/**
 * Erases every app that is due. If an app cannot be erased, the job reports the error and retries at the next interval.
 */
export async function eraseDueApps(
  worker: Database,
  onError: (error: unknown) => void,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<void> {
  const erase = (appId: string) => eraseApp(worker, appId, rowsAtOnce);
  await runEach('app erasure', await listDueApps(worker, APPS_AT_ONCE), erase, onError);
}

async function eraseApp(worker: Database, appId: string, rowsAtOnce: number): Promise<void> {
  for (const table of ERASED_TABLES) {
    if (table === 'keys') while ((await eraseKeys(worker, appId, rowsAtOnce)) > 0);
    else while ((await eraseRows(worker, appId, table, rowsAtOnce)) >= rowsAtOnce);
  }
  await finishErasure(worker, appId);
}
