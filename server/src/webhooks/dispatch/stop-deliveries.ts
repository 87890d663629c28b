// Stops what is on its way under a lost access. When it resolves, no request to a receiver begins under that access any more:
// at once when no worker has anything of it, without faults within 250 ms, and with a dead worker after 1.6 s.
import { setTimeout as pause } from 'node:timers/promises';
import type { Denial } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import type { Database, Transaction } from '../../kit/db/db.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { watchBeats } from './watch-beats.ts';
import { askWorkers, deleteStillWorker, type LeaseRow, listUnconfirmed } from './worker-store.ts';

/** First soon, because a worker that is told confirms within a few milliseconds. */
const LOOK_AFTER_MS = 1;
const LOOK_EVERY_MS = 10;
/** Beyond a worker's lease, which counts from before it sent its last beat: nothing of it can begin after both. For clocks that differ. */
const BEYOND_LEASE_MS = 300;
const stillForMs = ({ lease_ms }: LeaseRow): number => lease_ms + BEYOND_LEASE_MS;
/** A worker that beats but does not confirm is broken: it is struck off too, and its lease waited for. */
const SILENT_FOR_MS = 10_000;

/**
 * `db` plays slipway_manager, and so does `tx`, which takes the accesses away. The workers are asked behind its commit, never in it: one that
 * registers in between would not be asked and yet judge by the old state. A repeated call waits as well.
 */
export function stopDeliveries(
  db: Database,
  tx: Pick<Transaction, 'afterCommit'>,
  denials: readonly Denial[],
): Promise<void> {
  const stopped = untilConfirmed(
    db,
    denials.map((denial) => askWorkers(tx, newUuid(), denial)),
  );
  stopped.catch(() => {}); // of a commit that failed its transaction tells
  return stopped;
}

async function untilConfirmed(db: Database, asking: readonly Promise<string | undefined>[]): Promise<void> {
  const stopIds = (await Promise.all(asking)).filter((one) => one !== undefined);
  if (stopIds.length === 0) return;
  const beginMs = monotonicMs();
  const isStill = watchBeats();
  for (let waitMs = LOOK_AFTER_MS; ; waitMs = Math.min(waitMs * 2, LOOK_EVERY_MS)) {
    const askedMs = monotonicMs();
    const unconfirmed = await listUnconfirmed(db, stopIds);
    if (unconfirmed.length === 0) return;
    const isSilent = askedMs - beginMs >= SILENT_FOR_MS;
    for (const row of unconfirmed) {
      if (isSilent || isStill(row, askedMs, stillForMs(row))) await deleteStillWorker(db, row);
    }
    await pause(isSilent ? Math.max(...unconfirmed.map(stillForMs)) : waitMs);
  }
}
