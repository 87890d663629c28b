// What has to be done every now and then: partitions made ahead of time and dropped after theirs, deliveries cancelled that
// have waited for too long, and old idempotency keys, unused rate buckets, old notices and redeliveries, requests without a proved key and the
// addresses of clients removed.
import type { Database } from '../../kit/db.ts';
import { tracedJob } from '../../kit/trace.ts';
import {
  cancelExpired,
  deleteFullBuckets,
  deleteOldIngested,
  deleteOldNotices,
  deleteOldRedeliveries,
  deleteOldUnproved,
  deleteStaleIdempotencyKeys,
  forgetClientAddresses,
  listShortKept,
  type PartitionedTable,
  tendPartitions,
  trimRecords,
} from './store.ts';

export interface Retention {
  /** Records of requests. */
  requestDays: number;
  /** Events, and with them their deliveries and attempts. */
  eventDays: number;
  /** Deliveries that are held; no longer than their events. */
  heldDays: number;
}
export const DEFAULT_RETENTION: Retention = { requestDays: 30, eventDays: 90, heldDays: 30 };

const spansOf = ({
  requestDays,
  eventDays,
}: Retention): Record<PartitionedTable, { width: string; ahead: string; keep: string }> => {
  const ofEvents = { width: '1 day', ahead: '3 days', keep: `${eventDays} days` };
  return {
    request_records: { width: '1 hour', ahead: '12 hours', keep: `${requestDays} days` },
    events: ofEvents,
    deliveries: ofEvents,
    attempts: ofEvents,
  };
};
const CANCELLED_AT_ONCE = 2_000;
const TRIMMED_AT_ONCE = 2_000;
const KEEP_NOTICES = '90 days';
const INTERVAL_MS = 30 * 60_000;

export async function keepHouse(db: Database, retention: Retention = DEFAULT_RETENTION): Promise<void> {
  const { requestDays, eventDays, heldDays } = retention;
  // Before the partitions of their events are dropped: what is given up says so.
  const held = { states: ['held'], days: heldDays, reason: 'held_too_long' };
  const waiting = { states: ['held', 'waiting'], days: eventDays, reason: 'event_expired' };
  for (const expired of [held, waiting])
    while ((await cancelExpired(db, expired, CANCELLED_AT_ONCE)) === CANCELLED_AT_ONCE);
  const spans = Object.entries(spansOf(retention));
  for (const [table, span] of spans) await tendPartitions(db, table as PartitionedTable, span);
  await deleteStaleIdempotencyKeys(db);
  await deleteFullBuckets(db);
  await deleteOldNotices(db, KEEP_NOTICES);
  await deleteOldRedeliveries(db, `${eventDays} days`);
  await deleteOldIngested(db, `${eventDays} days`);
  await deleteOldUnproved(db, `${requestDays} days`);
  await forgetClientAddresses(db, `${requestDays} days`);
  for (const app of await listShortKept(db)) while ((await trimRecords(db, app, TRIMMED_AT_ONCE)) === TRIMMED_AT_ONCE);
}

/** Does it now, before anything is written, and then every half hour. */
export async function startHousekeeping(
  db: Database,
  retention: Retention,
  onError: (error: unknown) => void,
): Promise<{ stop(): Promise<void> }> {
  await keepHouse(db, retention);
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = tracedJob('housekeeping', () => keepHouse(db, retention)).catch(onError);
  }, INTERVAL_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
