// The membership of this process among the workers: it registers, sends heartbeats, and holds a lease only while its
// heartbeats arrive. A worker that was deregistered aborts everything and registers under a new id.

import { newUuid } from '../../kit/crypto/ids.ts';
import type { Database } from '../../kit/db/db.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import type { Incarnation } from './permits.ts';
import { watchBeats } from './watch-beats.ts';
import {
  deleteStillWorker,
  deleteWorker,
  insertWorker,
  listGoneWorkerIds,
  listSilentWorkers,
  updateBeat,
} from './worker-store.ts';

export interface MembershipTiming {
  beatMs: number;
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
const LEASE_MS = 1_300;
/**
 * Longer than a lease, also of an older version. After a clock jump this observation alone decides that a worker is
 * deregistered.
 */
const STILL_FOR_BEATS = 8;
/** The observation begins when a heartbeat is missing for this long, so that both periods overlap. */
const WATCHED_AFTER_BEATS = 4;
/**
 * Milliseconds during which a worker whose own heartbeat failed deregisters no other. Such a worker cannot distinguish
 * dead workers from workers that were cut off like itself.
 */
const PATIENCE_AFTER_FAILURE_MS = 5_000;

export interface Membership {
  current(): Incarnation | undefined;
  /** Sends a heartbeat, or registers if there is no registration. */
  beat(): Promise<void>;
  /**
   * Deregisters dead workers. Returns the ids of all workers that are not registered but still have attempts in flight.
   */
  findGone(): Promise<string[]>;
  /** Ends the membership: no attempt begins, and the process never registers again. */
  leave(): Promise<void>;
}

export function createMembership(
  db: Database,
  { beatMs, deadAfterMs }: MembershipTiming,
  onStruckOff: (old: Incarnation) => void,
): Membership {
  let current: Incarnation | undefined;
  let hasLeft = false;
  let strikeFromMs = 0;
  const isStill = watchBeats();

  async function register(): Promise<void> {
    const workerId = newUuid();
    const askedMs = monotonicMs();
    await insertWorker(db, workerId, LEASE_MS);
    // If the process left meanwhile, its row gets no heartbeat, and the others deregister it.
    if (!hasLeft) current = { workerId, leaseUntilMs: askedMs + LEASE_MS };
  }

  async function beatOrRegister(): Promise<void> {
    const incarnation = current;
    if (incarnation !== undefined) {
      // The lease counts from before the heartbeat is sent, and other workers see the heartbeat later than that.
      const askedMs = monotonicMs();
      if (await updateBeat(db, incarnation.workerId)) {
        incarnation.leaseUntilMs = askedMs + LEASE_MS;
        return;
      }
      current = undefined;
      onStruckOff(incarnation);
    }
    await register();
  }

  async function strikeOff(ownId: string): Promise<void> {
    const askedMs = monotonicMs();
    for (const row of await listSilentWorkers(db, ownId, WATCHED_AFTER_BEATS * beatMs)) {
      const hasStoodStill = isStill(row, askedMs, STILL_FOR_BEATS * beatMs);
      if (hasStoodStill && row.silent_ms > deadAfterMs) await deleteStillWorker(db, row);
    }
  }

  return {
    current: () => current,
    async beat() {
      if (hasLeft) return;
      try {
        await beatOrRegister();
      } catch (error) {
        strikeFromMs = monotonicMs() + PATIENCE_AFTER_FAILURE_MS;
        throw error;
      }
    },
    async findGone() {
      if (current === undefined) return [];
      const { workerId } = current;
      if (monotonicMs() >= strikeFromMs) await strikeOff(workerId);
      // A worker that was deregistered and does not know it yet must not recover its own attempts. Its next
      // registration does.
      return (await listGoneWorkerIds(db)).filter((id) => id !== workerId);
    },
    async leave() {
      const incarnation = current;
      hasLeft = true;
      current = undefined;
      if (incarnation !== undefined) await deleteWorker(db, incarnation.workerId);
    },
  };
}
