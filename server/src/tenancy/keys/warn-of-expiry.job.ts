// Tells of keys that expire in 7 days and in one. Several workers may do it at once, and one may begin again at any place: a
// notice is there once, whoever writes it.
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { DAYS_AHEAD, insertNotice } from '../../platform/notices/index.ts';
import { listExpiring } from './expiry-store.ts';

const LOOK_EVERY_MS = 5 * 60_000;
const BATCH = 500;

export function startExpiryWarnings(worker: Database, onError: (error: unknown) => void): Loop {
  return startLoop(() => warnOfExpiry(worker), LOOK_EVERY_MS, onError);
}

/** A key is told of in the span that it is in: what was missed while no worker ran is not made up for by a second notice. */
export async function warnOfExpiry(worker: Database): Promise<void> {
  for (const [index, daysAhead] of DAYS_AHEAD.entries()) {
    const beyondDays = DAYS_AHEAD[index + 1] ?? 0;
    for (;;) {
      const keys = await listExpiring(worker, { daysAhead, beyondDays }, BATCH);
      for (const key of keys) await insertNotice(worker, key, { kind: 'key_expires', daysAhead });
      if (keys.length < BATCH) break;
    }
  }
}
