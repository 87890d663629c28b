// What is in flight with nobody waits again, and the log says of each attempt that its end is not known.

import { toId } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { type OwnClaims, recoverAttempts } from './worker-store.ts';

export interface RecoverTools {
  db: Database;
  log(line: object): void;
}

/** Returns how many wait again. */
export async function recover(
  { db, log }: RecoverTools,
  goneIds: readonly string[],
  own: OwnClaims | undefined,
): Promise<number> {
  const recovered = await recoverAttempts(db, goneIds, own);
  for (const row of recovered) {
    const deliveryId = toId('dlv', row.delivery_id);
    const outcome = { outcome: 'interrupted', next: 'waiting' };
    log({ event: 'webhook.attempt', deliveryId, attempt: row.attempt_no, ...outcome });
  }
  return recovered.length;
}
