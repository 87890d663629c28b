// This process as a worker: registered under an id, beating, and holding a lease only as long as its beats arrive. A
// worker that was struck off stops everything and comes back under a new id.
import { monotonicMs } from '../../kit/clock.ts';
import type { Database } from '../../kit/db.ts';
import { newUuid } from '../../kit/ids.ts';
import type { Incarnation } from './permits.ts';
import { deleteDeadWorkers, deleteWorker, insertWorker, listGoneWorkerIds, updateBeat } from './worker-store.ts';

export const BEAT_EVERY_MS = 500;
/** Shorter than the 2 s after which a revoke strikes a still worker off: the difference is for clocks that differ. */
const LEASE_MS = 1_700;
/** A worker whose own beats failed cannot tell the dead from those who were cut off as it was. */
const PATIENCE_AFTER_FAILURE_MS = 5_000;

export interface Membership {
  current(): Incarnation | undefined;
  /** Beats, or registers where there is no registration. */
  beat(): Promise<void>;
  /** Strikes dead workers off; returns the ids of all that are gone but still have something in flight. */
  findGone(): Promise<string[]>;
  /** From here on nothing begins and nobody registers. */
  leave(): Promise<void>;
}

export function createMembership(db: Database, onStruckOff: (old: Incarnation) => void): Membership {
  let current: Incarnation | undefined;
  let hasLeft = false;
  let strikeFromMs = 0;

  async function register(): Promise<void> {
    const workerId = newUuid();
    const askedMs = monotonicMs();
    await insertWorker(db, workerId);
    // Left meanwhile: the row beats no more, and the others strike it off.
    if (!hasLeft) current = { workerId, leaseUntilMs: askedMs + LEASE_MS };
  }

  async function beatOrRegister(): Promise<void> {
    const incarnation = current;
    if (incarnation !== undefined) {
      // Counted from before it is sent: whoever sees this beat sees it no earlier.
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
      if (monotonicMs() >= strikeFromMs) await deleteDeadWorkers(db, current.workerId);
      return listGoneWorkerIds(db);
    },
    async leave() {
      const incarnation = current;
      hasLeft = true;
      current = undefined;
      if (incarnation !== undefined) await deleteWorker(db, incarnation.workerId);
    },
  };
}
