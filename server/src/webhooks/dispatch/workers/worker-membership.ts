// The membership of this process among the workers: it registers, sends heartbeats, and holds a lease only while its
// heartbeats arrive. A worker that was deregistered aborts everything and registers under a new id. The others make the
// deliveries of a dead worker due again.

import { newUuid, toId } from '../../../kit/crypto/ids.ts';
import type { Database } from '../../../kit/db/db.ts';
import { monotonicMs } from '../../../kit/flow/clock.ts';
import type { WorkerRegistration } from './pre-send-check.ts';
import {
  deleteWorker,
  deregisterSilentWorker,
  type HeartbeatRow,
  insertWorker,
  listDeregisteredWorkerIds,
  listSilentWorkers,
  type OwnClaims,
  recoverAttempts,
  updateHeartbeat,
} from './worker-store.ts';

export interface WorkerMembershipTiming {
  heartbeatMs: number;
  /**
   * The others deregister a worker without a heartbeat for these milliseconds, by the database's clock. Because that
   * clock may have jumped, they must also observe that no heartbeat arrives.
   */
  deadAfterMs: number;
}

/**
 * Milliseconds. A revocation waits slightly longer than the lease if a worker has stopped. A heartbeat may take a
 * second before the lease is over.
 */
export const LEASE_MS = 1_300;
/**
 * Longer than a lease, also of an older version. After a clock jump this observation alone decides that a worker is
 * deregistered.
 */
const SILENT_FOR_HEARTBEATS = 8;
/** The observation begins when a heartbeat is missing for this long, so that both periods overlap. */
const WATCHED_AFTER_HEARTBEATS = 4;
/**
 * Milliseconds during which a worker whose own heartbeat failed deregisters no other. Such a worker cannot distinguish
 * dead workers from workers that were cut off like itself.
 */
const PATIENCE_AFTER_FAILURE_MS = 5_000;

export interface WorkerMembership {
  current(): WorkerRegistration | undefined;
  /** Sends a heartbeat, or registers if there is no registration. */
  sendHeartbeat(): Promise<void>;
  /**
   * Deregisters dead workers. Returns the ids of all workers that are not registered but still have attempts in flight.
   */
  findDeregistered(): Promise<string[]>;
  /** Ends the membership: no attempt begins, and the process never registers again. */
  leave(): Promise<void>;
}

export function createWorkerMembership(
  db: Database,
  { heartbeatMs, deadAfterMs }: WorkerMembershipTiming,
  onDeregistered: (old: WorkerRegistration) => void,
): WorkerMembership {
  let current: WorkerRegistration | undefined;
  let hasLeft = false;
  let deregisterFromMs = 0;
  const isStill = watchHeartbeats();

  async function register(): Promise<void> {
    const workerId = newUuid();
    const askedMs = monotonicMs();
    await insertWorker(db, workerId, LEASE_MS);
    // If the process left meanwhile, its row gets no heartbeat, and the others deregister it.
    if (!hasLeft) current = { workerId, leaseUntilMs: askedMs + LEASE_MS };
  }

  async function renewOrRegister(): Promise<void> {
    const registration = current;
    if (registration !== undefined) {
      // The lease counts from before the heartbeat is sent, and other workers see the heartbeat later than that.
      const askedMs = monotonicMs();
      if (await updateHeartbeat(db, registration.workerId)) {
        registration.leaseUntilMs = askedMs + LEASE_MS;
        return;
      }
      current = undefined;
      onDeregistered(registration);
    }
    await register();
  }

  async function deregisterSilentWorkers(ownId: string): Promise<void> {
    const askedMs = monotonicMs();
    for (const row of await listSilentWorkers(db, ownId, WATCHED_AFTER_HEARTBEATS * heartbeatMs)) {
      const hasStoodStill = isStill(row, askedMs, SILENT_FOR_HEARTBEATS * heartbeatMs);
      if (hasStoodStill && row.silent_ms > deadAfterMs) await deregisterSilentWorker(db, row);
    }
  }

  return {
    current: () => current,
    async sendHeartbeat() {
      if (hasLeft) return;
      try {
        await renewOrRegister();
      } catch (error) {
        deregisterFromMs = monotonicMs() + PATIENCE_AFTER_FAILURE_MS;
        throw error;
      }
    },
    async findDeregistered() {
      if (current === undefined) return [];
      const { workerId } = current;
      if (monotonicMs() >= deregisterFromMs) await deregisterSilentWorkers(workerId);
      // A worker that was deregistered and does not know it yet must not recover its own attempts. Its next
      // registration does.
      return (await listDeregisteredWorkerIds(db)).filter((id) => id !== workerId);
    },
    async leave() {
      const registration = current;
      hasLeft = true;
      current = undefined;
      if (registration !== undefined) await deleteWorker(db, registration.workerId);
    },
  };
}

/**
 * Returns a function that reports whether a worker's heartbeat, read after `askedMs`, has been unchanged for `forMs`
 * milliseconds.
 */
export function watchHeartbeats(): (row: HeartbeatRow, askedMs: number, forMs: number) => boolean {
  const lastHeartbeats = new Map<string, { beat: number; sinceMs: number }>();
  return ({ worker_id, beat }, askedMs, forMs) => {
    const last = lastHeartbeats.get(worker_id);
    if (last?.beat === beat) return askedMs - last.sinceMs >= forMs;
    // Measured from after the first response until before the current query: a lower bound of the time without a
    // heartbeat.
    lastHeartbeats.set(worker_id, { beat, sinceMs: monotonicMs() });
    return false;
  };
}

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
