// Stops attempts in flight under a revoked access. When the promise resolves, no request to a receiver begins under
// that access any more. The promise resolves:
// - immediately if no worker is concerned. A worker is concerned by a matching attempt. While a claim of the app is being
//   judged, every worker is concerned.
// - usually within 250 ms if the concerned workers confirm.
// - after 1.6 s if a concerned worker is dead.
// - after 10 s and the lease if a concerned worker sends heartbeats but does not confirm.
import { setTimeout as pause } from 'node:timers/promises';
import type { AccessCancellation, LostAccess, WorkerConfirmation } from '../../../access/authority/index.ts';
import { newUuid } from '../../../kit/crypto/ids.ts';
import type { Database, Transaction } from '../../../kit/db/db.ts';
import { monotonicMs } from '../../../kit/flow/clock.ts';
import { watchHeartbeats } from './worker-membership.ts';
import {
  type AskedWorkerRow,
  type CancellationRequestRow,
  deregisterSilentWorker,
  listAskedWorkers,
  readCommitTime,
  requestCancellation,
} from './worker-store.ts';

/** The first poll comes early, because a notified worker confirms within a few milliseconds. */
const LOOK_AFTER_MS = 1;
const LOOK_EVERY_MS = 10;
/**
 * Milliseconds to wait beyond the lease of a worker, to allow for clocks that differ. The lease counts from before its
 * last heartbeat was sent, so none of its attempts can begin after both times.
 */
export const LEASE_MARGIN_MS = 300;
const silenceLimitMs = ({ lease_ms }: AskedWorkerRow): number => lease_ms + LEASE_MARGIN_MS;
/**
 * Milliseconds after which a worker that sends heartbeats but does not confirm counts as broken. Such a worker is
 * deregistered, and the stop waits for its lease.
 */
const UNRESPONSIVE_AFTER_MS = 10_000;

interface CancellationRequest extends CancellationRequestRow {
  access: LostAccess;
  stopId: string;
}

/**
 * Stops deliveries under these accesses. `db` and `tx` run as slipway_manager, and `tx` is the transaction that takes
 * the access away.
 *
 * The workers are asked right after its commit, never inside the transaction. Otherwise a worker that registers in
 * between would not be asked and yet judge by the old state. A repeated call waits too.
 */
export function cancelInFlightDeliveries(
  db: Database,
  tx: Pick<Transaction, 'sendAfterCommit'>,
  lostAccesses: readonly LostAccess[],
): Promise<AccessCancellation[]> {
  if (lostAccesses.length === 0) return Promise.resolve([]);
  const committedBy = readCommitTime(tx);
  const requests = lostAccesses.map(async (access): Promise<CancellationRequest> => {
    const stopId = newUuid();
    return { access, stopId, ...(await requestCancellation(tx, stopId, access)) };
  });
  const stopped = waitForConfirmations(db, requests, committedBy);
  stopped.catch(() => {}); // the transaction itself reports a failed commit
  return stopped;
}

async function waitForConfirmations(
  db: Database,
  asking: readonly Promise<CancellationRequest>[],
  commitTime: Promise<Date>,
): Promise<AccessCancellation[]> {
  const [committedBy, requests] = await Promise.all([commitTime, Promise.all(asking)]);
  const confirmations = await confirmAll(db, requests);
  return requests.map(({ access, epoch, attempts, worker_ids }) => ({
    access,
    epoch,
    committedBy,
    attempts,
    workers: worker_ids.flatMap((workerId) => confirmations.get(workerId) ?? []),
  }));
}

/** Waits until each asked worker has confirmed or is deregistered. */
async function confirmAll(
  db: Database,
  requests: readonly CancellationRequest[],
): Promise<ReadonlyMap<string, WorkerConfirmation>> {
  const confirmations = new Map<string, WorkerConfirmation>();
  const workerIds = [...new Set(requests.flatMap(({ worker_ids }) => worker_ids))];
  const stopIds = requests.filter(({ worker_ids }) => worker_ids.length > 0).map(({ stopId }) => stopId);
  if (stopIds.length === 0) return confirmations;
  const beginMs = monotonicMs();
  const isStill = watchHeartbeats();
  const endedLeases = new Map<string, number>();
  for (let waitMs = LOOK_AFTER_MS; ; waitMs = Math.min(waitMs * 2, LOOK_EVERY_MS)) {
    const askedMs = monotonicMs();
    const registered = await listAskedWorkers(db, workerIds, stopIds);
    const unconfirmed = registered.filter((row) => !row.has_confirmed);
    for (const workerId of workerIds) {
      if (confirmations.has(workerId) || unconfirmed.some((row) => row.worker_id === workerId)) continue;
      const hasConfirmed = registered.some((row) => row.worker_id === workerId);
      confirmations.set(workerId, {
        workerId,
        outcome: hasConfirmed ? 'confirmed' : 'deregistered',
        waitedMs: Math.round(monotonicMs() - beginMs),
        leaseMs: hasConfirmed ? null : (endedLeases.get(workerId) ?? null),
      });
    }
    if (unconfirmed.length === 0) return confirmations;
    const isUnresponsive = askedMs - beginMs >= UNRESPONSIVE_AFTER_MS;
    for (const row of unconfirmed) {
      if (!isUnresponsive && !isStill(row, askedMs, silenceLimitMs(row))) continue;
      endedLeases.set(row.worker_id, row.lease_ms);
      await deregisterSilentWorker(db, row);
    }
    await pause(isUnresponsive ? Math.max(...unconfirmed.map(silenceLimitMs)) : waitMs);
  }
}
