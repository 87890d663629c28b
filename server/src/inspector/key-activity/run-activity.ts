// Reads a part of the activity of a key: the requests of the key by their index, then the deliveries of the app.

import type { TenantTransaction } from '../../access/authority/index.ts';
import {
  clipStretches,
  continueBelow,
  listPartitions,
  planByValues,
  readSources,
  type SourcePosition,
  toStretches,
} from '../requests/index.ts';
import { readDeliveries, readRequests } from './activity-store.ts';
import { ActivitySum } from './key-activity.ts';

/** Records per statement. A write is a request that can have caused events. */
export interface ActivityLimits {
  requests: number;
  writes: number;
  deliveries: number;
}
const LIMITS: ActivityLimits = { requests: 10_000, writes: 500, deliveries: 5_000 };

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
  const { requests: size, writes, deliveries } = limits;
  const progress = await readSources(
    [
      {
        order: '0 requests',
        ranges: (range) => clipStretches(stretches, range),
        async read(range) {
          const found = await readRequests(tenant, keyId, range, { size, writes });
          sum.add(found.groups);
          sum.requests += found.taken;
          sum.writesWithoutEvent += found.writes_without_event;
          return found.is_more ? (found.reached ?? undefined) : undefined;
        },
      },
      {
        order: '1 deliveries',
        ranges: (range) => (range.from < range.before ? [range] : []),
        async read(range) {
          const found = await readDeliveries(tenant, keyId, range, deliveries);
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
