// Counts the deliveries that match a redelivery's filter, a window at a time. No statement is long whatever the number,
// and the count stops before the caller has waited for too long.

import type { Tenant } from '../../access/authority/index.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { countWindow } from './deliveries-store.ts';
import { firstPosition, type RedeliveryFilter } from './redelivery-filter.ts';

const WINDOW = 50_000;
const COUNT_FOR_MS = 2_000;

export interface RedeliveryCount {
  total: number;
  /** True if all deliveries were counted. */
  isTotalExact: boolean;
  firstAt: Date | null;
  lastAt: Date | null;
}

export async function countMatching(
  tenant: Tenant,
  filter: RedeliveryFilter,
  endedBefore: Date,
  { window = WINDOW, forMs = COUNT_FOR_MS } = {},
): Promise<RedeliveryCount> {
  const beginMs = monotonicMs();
  const counted: RedeliveryCount = { total: 0, isTotalExact: false, firstAt: null, lastAt: null };
  for (let after = firstPosition(filter); monotonicMs() - beginMs < forMs; ) {
    const found = await countWindow(tenant, filter, after, endedBefore, window);
    counted.total += found.count;
    counted.firstAt = earlier(counted.firstAt, found.first_at);
    counted.lastAt = later(counted.lastAt, found.last_at);
    if (found.examined < window || !found.last) return { ...counted, isTotalExact: true };
    after = found.last;
  }
  return counted;
}

const earlier = (one: Date | null, other: Date | null): Date | null => (one && (!other || one <= other) ? one : other);
const later = (one: Date | null, other: Date | null): Date | null => (one && (!other || one >= other) ? one : other);
