// Stops attempts in flight under a revoked access. When the promise resolves, no request to a receiver begins under
// that access any more. The promise resolves immediately if no worker has a matching attempt, usually within 250 ms
// otherwise, and after 1.6 s if a worker is dead.
import { setTimeout as pause } from 'node:timers/promises';
import type { RevokedAccess } from '../../../access/authority/index.ts';
import { newUuid } from '../../../kit/crypto/ids.ts';
import type { Database, Transaction } from '../../../kit/db/db.ts';
import { monotonicMs } from '../../../kit/flow/clock.ts';
import { watchHeartbeats } from './worker-membership.ts';
import {
  deregisterSilentWorker,
  listUnconfirmedWorkers,
  requestCancellation,
  type WorkerLeaseRow,
} from './worker-store.ts';

/** The first poll comes early, because a notified worker confirms within a few milliseconds. */
const LOOK_AFTER_MS = 1;
const LOOK_EVERY_MS = 10;
/**
 * Milliseconds to wait beyond the lease of a worker, to allow for clocks that differ. The lease counts from before its
 * last heartbeat was sent, so none of its attempts can begin after both times.
 */
const LEASE_MARGIN_MS = 300;
const silenceLimitMs = ({ lease_ms }: WorkerLeaseRow): number => lease_ms + LEASE_MARGIN_MS;
/**
 * Milliseconds after which a worker that sends heartbeats but does not confirm counts as broken. Such a worker is
 * deregistered, and the stop waits for its lease.
 */
const UNRESPONSIVE_AFTER_MS = 10_000;

/**
 * Stops deliveries under these denials. `db` and `tx` run as slipway_manager, and `tx` is the transaction that takes
 * the access away.
 *
 * The workers are asked right after its commit, never inside the transaction. Otherwise a worker that registers in
 * between would not be asked and yet judge by the old state. A repeated call waits too.
 */
export function cancelInFlightDeliveries(
  db: Database,
  tx: Pick<Transaction, 'afterCommit'>,
  denials: readonly RevokedAccess[],
): Promise<void> {
  const stopped = waitForConfirmations(
    db,
    denials.map((denial) => requestCancellation(tx, newUuid(), denial)),
  );
  stopped.catch(() => {}); // the transaction itself reports a failed commit
  return stopped;
}

async function waitForConfirmations(db: Database, asking: readonly Promise<string | undefined>[]): Promise<void> {
  const stopIds = (await Promise.all(asking)).filter((one) => one !== undefined);
  if (stopIds.length === 0) return;
  const beginMs = monotonicMs();
  const isStill = watchHeartbeats();
  for (let waitMs = LOOK_AFTER_MS; ; waitMs = Math.min(waitMs * 2, LOOK_EVERY_MS)) {
    const askedMs = monotonicMs();
    const unconfirmed = await listUnconfirmedWorkers(db, stopIds);
    if (unconfirmed.length === 0) return;
    const isSilent = askedMs - beginMs >= UNRESPONSIVE_AFTER_MS;
    for (const row of unconfirmed) {
      if (isSilent || isStill(row, askedMs, silenceLimitMs(row))) await deregisterSilentWorker(db, row);
    }
    await pause(isSilent ? Math.max(...unconfirmed.map(silenceLimitMs)) : waitMs);
  }
}
