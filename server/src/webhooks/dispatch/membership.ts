// This process as a worker: registered under an id, beating, and holding a lease only as long as its beats arrive. A
// worker that was struck off stops everything and comes back under a new id.

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
   * A worker is struck off by the others when it has not beaten for this long, by the database's clock; and, because that may
   * have jumped, does not beat before their eyes either.
   */
  deadAfterMs: number;
}

/** A revoke waits for it, and a little more, where a worker stands still. A beat may take a second before it is over. */
const LEASE_MS = 1_300;
/** Longer than a lease, of an older version too: what strikes a worker off when a clock has jumped is this alone. */
const STILL_FOR_BEATS = 8;
/** A worker whose heartbeat is missing for this long is watched, so that both times run together. */
const WATCHED_AFTER_BEATS = 4;
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
      // One that was struck off and does not know it yet leaves what it has on the wire to whom it will be next.
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
