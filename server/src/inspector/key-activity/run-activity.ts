// Reads a part of the activity of a key: the requests of the key by their index, then the events and the deliveries of the
// app by time. The request of an event, and the event of a delivery, are in one partition that follows from the identifier.
// The opposite direction would search all later partitions for each write.

import type { TenantTransaction } from '../../access/authority/index.ts';
import { firstUuidAt, msOfUuid } from '../../kit/crypto/ids.ts';
import {
  clipStretches,
  continueBelow,
  type IdRange,
  listPartitions,
  planByValues,
  readSources,
  type SourcePosition,
  toStretches,
} from '../requests/index.ts';
import {
  CLOCKS_DIFFER_MS,
  listWritesWithoutEvent,
  readDeliveries,
  readEvents,
  readRequests,
} from './activity-store.ts';
import { ActivitySum } from './key-activity.ts';

/** Records per statement. */
export interface ActivityLimits {
  requests: number;
  events: number;
  deliveries: number;
}
const LIMITS: ActivityLimits = { requests: 5_000, events: 10_000, deliveries: 5_000 };

/** Reads from the position on, and moves the position. Returns the sum, and the read share of the period. */
export async function runActivity(
  tenant: TenantTransaction,
  keyId: string,
  position: SourcePosition,
  runForMs?: number,
  limits = LIMITS,
): Promise<{ sum: ActivitySum; progress: number }> {
  planByValues(tenant);
  const stretches = toStretches(await listPartitions(tenant));
  const sum = new ActivitySum();
  const { requests, events, deliveries } = limits;
  const sinceId = firstUuidAt(position.sinceMs);
  const effects = ({ from, before }: IdRange): IdRange[] => {
    const since = firstUuidAt(msOfUuid(from) - CLOCKS_DIFFER_MS);
    return since < before ? [{ from: since, before }] : [];
  };
  const progress = await readSources(
    [
      {
        order: '0 requests',
        ranges: (range) => clipStretches(stretches, range),
        async read(range) {
          const found = await readRequests(tenant, keyId, range, requests);
          const { newest, reached: oldest } = found;
          sum.add(found.groups);
          sum.requests += found.examined;
          if (newest !== null && oldest !== null) {
            const writes = await listWritesWithoutEvent(tenant, keyId, { oldest, newest });
            sum.writesWithoutEvent += writes.length;
          }
          return continueBelow(found, requests);
        },
      },
      {
        order: '1 events',
        ranges: effects,
        async read(range) {
          const found = await readEvents(tenant, keyId, sinceId, range, events);
          sum.add(found.groups);
          return continueBelow(found, events);
        },
      },
      {
        order: '2 deliveries',
        ranges: effects,
        async read(range) {
          const found = await readDeliveries(tenant, keyId, sinceId, range, deliveries);
          sum.add(found.groups);
          return continueBelow(found, deliveries);
        },
      },
    ],
    position,
    runForMs,
  );
  return { sum, progress };
}
