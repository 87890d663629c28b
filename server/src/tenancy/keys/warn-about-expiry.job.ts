// Writes a notice for keys that expire within 7 days and within one day, and for endpoints that lose their last key.
// Several workers may run the job concurrently, and a repeated run is safe: each notice is written once.
import type { Database } from '../../kit/db/db.ts';
import { type Loop, startLoop } from '../../kit/flow/loop.ts';
import { DAYS_AHEAD, insertNotice } from '../../platform/notices/index.ts';
import { toNoticeEndpoint } from '../../webhooks/dispatch/index.ts';
import { listEndpointsWithLastKey, listExpiring } from './expiry-store.ts';

const RUN_EVERY_MS = 5 * 60_000;
const BATCH = 500;

export function startExpiryWarnings(worker: Database, onError: (error: unknown) => void): Loop {
  return startLoop(() => warnAboutExpiry(worker), RUN_EVERY_MS, onError);
}

/**
 * Writes the warning of the span that the key is in. A warning that was missed while no worker ran is not written
 * later.
 */
export async function warnAboutExpiry(worker: Database): Promise<void> {
  for (const [index, daysAhead] of DAYS_AHEAD.entries()) {
    const beyondDays = DAYS_AHEAD[index + 1] ?? 0;
    for (;;) {
      const keys = await listExpiring(worker, { daysAhead, beyondDays }, BATCH);
      for (const key of keys) await insertNotice(worker, key, { kind: 'key_expires', daysAhead });
      if (keys.length < BATCH) break;
    }
  }
  await warnAboutLastKeys(worker);
}

/** Writes a notice for each endpoint whose last usable key expires within 7 days. */
async function warnAboutLastKeys(worker: Database): Promise<void> {
  for (;;) {
    const rows = await listEndpointsWithLastKey(worker, DAYS_AHEAD[0], BATCH);
    for (const row of rows) {
      await insertNotice(worker, row, { kind: 'endpoint_keys_end', endpoint: toNoticeEndpoint(row) });
    }
    if (rows.length < BATCH) return;
  }
}
