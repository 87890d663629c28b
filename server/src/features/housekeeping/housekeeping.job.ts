// What has to be done every now and then: partitions made ahead of time and dropped after theirs, and old idempotency
// keys, unused rate buckets, old notices and redeliveries and the addresses of clients removed.
import type { Database } from '../../kit/db.ts';
import {
  deleteFullBuckets,
  deleteOldNotices,
  deleteOldRedeliveries,
  deleteStaleIdempotencyKeys,
  forgetClientAddresses,
  type PartitionedTable,
  tendPartitions,
} from './store.ts';

const SPANS: Record<PartitionedTable, { width: string; ahead: string; keep: string }> = {
  request_records: { width: '1 hour', ahead: '12 hours', keep: '30 days' },
  events: { width: '1 day', ahead: '3 days', keep: '90 days' },
  deliveries: { width: '1 day', ahead: '3 days', keep: '90 days' },
  attempts: { width: '1 day', ahead: '3 days', keep: '90 days' },
};
const KEEP_NOTICES = '90 days';
const INTERVAL_MS = 30 * 60_000;

export async function keepHouse(db: Database): Promise<void> {
  for (const [table, spans] of Object.entries(SPANS)) await tendPartitions(db, table as PartitionedTable, spans);
  await deleteStaleIdempotencyKeys(db);
  await deleteFullBuckets(db);
  await deleteOldNotices(db, KEEP_NOTICES);
  await deleteOldRedeliveries(db, SPANS.deliveries.keep);
  await forgetClientAddresses(db, SPANS.request_records.keep);
}

/** Does it now, before anything is written, and then every half hour. */
export async function startHousekeeping(
  db: Database,
  onError: (error: unknown) => void,
): Promise<{ stop(): Promise<void> }> {
  await keepHouse(db);
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = keepHouse(db).catch(onError);
  }, INTERVAL_MS);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
