// Counts the deliveries that match a redelivery's filter, a window at a time. No statement is long whatever the number,
// and the count stops before the caller has waited for too long.

import type { Tenant } from '../../access/authority/index.ts';
import { msOfUuid } from '../../kit/crypto/ids.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { countWindow } from './deliveries-store.ts';
import { countRetries } from './queued-store.ts';
import {
  firstEndedPosition,
  firstPosition,
  includesEnded,
  includesRetries,
  type RedeliveryFilter,
} from './redelivery-filter.ts';

const WINDOW = 50_000;
const COUNT_FOR_MS = 2_000;

export interface RedeliveryCount {
  total: number;
  /** How many of these wait for a retry. */
  waiting: number;
  /** True if all deliveries were counted. */
  isTotalExact: boolean;
  firstAt: Date | null;
  lastAt: Date | null;
}

/** Counts the waiting retries first, as the job makes them due first. */
export async function countMatching(
  tenant: Tenant,
  filter: RedeliveryFilter,
  before: Date,
  { window = WINDOW, forMs = COUNT_FOR_MS } = {},
): Promise<RedeliveryCount> {
  const untilMs = monotonicMs() + forMs;
  const counted: RedeliveryCount = { total: 0, waiting: 0, isTotalExact: true, firstAt: null, lastAt: null };
  if (includesRetries(filter)) await countWaiting(tenant, filter, before, { window, untilMs }, counted);
  if (includesEnded(filter)) await countEnded(tenant, filter, before, { window, untilMs }, counted);
  return counted;
}

interface CountLimits {
  window: number;
  untilMs: number;
}

async function countWaiting(
  tenant: Tenant,
  filter: RedeliveryFilter,
  before: Date,
  { window, untilMs }: CountLimits,
  counted: RedeliveryCount,
): Promise<void> {
  for (let after = firstPosition(filter).after_delivery_id; monotonicMs() < untilMs; ) {
    const { examined, count, first_id, last_id, last } = await countRetries(tenant, filter, after, before, window);
    counted.total += count;
    counted.waiting += count;
    if (first_id && last_id) extend(counted, new Date(msOfUuid(first_id)), new Date(msOfUuid(last_id)));
    if (examined < window || !last) return;
    after = last;
  }
  counted.isTotalExact = false;
}

async function countEnded(
  tenant: Tenant,
  filter: RedeliveryFilter,
  endedBefore: Date,
  { window, untilMs }: CountLimits,
  counted: RedeliveryCount,
): Promise<void> {
  for (let after = firstEndedPosition(filter); monotonicMs() < untilMs; ) {
    const found = await countWindow(tenant, filter, after, endedBefore, window);
    counted.total += found.count;
    extend(counted, found.first_at, found.last_at);
    if (found.examined < window || !found.last) return;
    after = found.last;
  }
  counted.isTotalExact = false;
}

function extend(counted: RedeliveryCount, firstAt: Date | null, lastAt: Date | null): void {
  counted.firstAt = earlier(counted.firstAt, firstAt);
  counted.lastAt = later(counted.lastAt, lastAt);
}

const earlier = (one: Date | null, other: Date | null): Date | null => (one && (!other || one <= other) ? one : other);
const later = (one: Date | null, other: Date | null): Date | null => (one && (!other || one >= other) ? one : other);
