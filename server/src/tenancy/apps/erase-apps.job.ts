// Erases apps whose grace is over, so many rows at a time. It keeps no notes: whoever comes after a crash begins with the
// first table again and finds what is left.
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { tracedJob } from '../../kit/telemetry/trace.ts';
import { ERASED_TABLES, endErasing, eraseKeys, eraseRows, listDueApps } from './erase-store.ts';

const LOOK_EVERY_MS = 60_000;
const APPS_AT_ONCE = 20;
/** A statement has seconds, and a lock on a row that it erased may be waited for. */
const ROWS_AT_ONCE = 2_000;

/** `worker` plays slipway_worker. */
export function startErasing(worker: Database, onError: (error: unknown) => void): Loop {
  return startLoop(() => eraseDueApps(worker, onError), LOOK_EVERY_MS, onError);
}

/** Every app that is due; one that cannot be erased is told of and tried again the next time. */
export async function eraseDueApps(
  worker: Database,
  onError: (error: unknown) => void,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<void> {
  for (const appId of await listDueApps(worker, APPS_AT_ONCE)) {
    await tracedJob('erasing of an app', () => eraseApp(worker, appId, rowsAtOnce)).catch(onError);
  }
}

async function eraseApp(worker: Database, appId: string, rowsAtOnce: number): Promise<void> {
  for (const table of ERASED_TABLES) {
    if (table === 'keys') while ((await eraseKeys(worker, appId, rowsAtOnce)) > 0);
    else while ((await eraseRows(worker, appId, table, rowsAtOnce)) >= rowsAtOnce);
  }
  await endErasing(worker, appId);
}
