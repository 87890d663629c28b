// Makes deliveries due again that are in flight with no living worker, and logs that the result of each attempt is
// unknown.

import { toId } from '../../../kit/crypto/ids.ts';
import type { Database } from '../../../kit/db/db.ts';
import { type OwnClaims, recoverAttempts } from './worker-store.ts';

export interface RecoverTools {
  db: Database;
  log(line: object): void;
}

/** Returns the number of recovered deliveries. */
export async function recoverInterrupted(
  { db, log }: RecoverTools,
  goneIds: readonly string[],
  own: OwnClaims | undefined,
): Promise<number> {
  const recovered = await recoverAttempts(db, goneIds, own);
  for (const row of recovered) {
    const deliveryId = toId('dlv', row.delivery_id);
    const outcome = { outcome: 'interrupted', next: 'waiting' };
    log({ event: 'webhook.attempt_ended', deliveryId, attempt: row.attempt_no, ...outcome });
  }
  return recovered.length;
}
