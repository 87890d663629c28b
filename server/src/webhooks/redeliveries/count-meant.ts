// How many deliveries a redelivery means: counted a window at a time, so that no statement is long however many they are, and
// for no longer than somebody waits for an answer.

import type { Tenant } from '../../access/authority/index.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { countWindow } from './deliveries-store.ts';
import { type Filter, firstPosition } from './filter.ts';

const WINDOW = 50_000;
const COUNT_FOR_MS = 2_000;

export interface Counted {
  total: number;
  /** Whether it came to the end. */
  isTotalExact: boolean;
  firstAt: Date | null;
  lastAt: Date | null;
}

export async function countMeant(
  tenant: Tenant,
  filter: Filter,
  endedBefore: Date,
  { window = WINDOW, forMs = COUNT_FOR_MS } = {},
): Promise<Counted> {
  const beginMs = monotonicMs();
  const counted: Counted = { total: 0, isTotalExact: false, firstAt: null, lastAt: null };
  for (let after = firstPosition(filter); monotonicMs() - beginMs < forMs; ) {
    const found = await countWindow(tenant, filter, after, endedBefore, window);
    counted.total += found.count;
    counted.firstAt = earlier(counted.firstAt, found.first_at);
    counted.lastAt = later(counted.lastAt, found.last_at);
    if (found.looked < window || !found.last) return { ...counted, isTotalExact: true };
    after = found.last;
  }
  return counted;
}

const earlier = (one: Date | null, other: Date | null): Date | null => (one && (!other || one <= other) ? one : other);
const later = (one: Date | null, other: Date | null): Date | null => (one && (!other || one >= other) ? one : other);
