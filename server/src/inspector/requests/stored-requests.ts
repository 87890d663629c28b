// States how far the stored requests of an app go back.
import type { Tenant } from '../../access/authority/index.ts';
import { firstUuidAt, msOfUuid } from '../../kit/crypto/ids.ts';
import { nowMs } from '../../kit/flow/clock.ts';
import { findOldestRequest, findStoredPeriod } from './gap-store.ts';

const DAY_MS = 86_400_000;

interface StoredRequests {
  /** The time from which requests are stored. */
  sinceMs: number;
  /** The time of the oldest stored request; undefined without any. */
  oldestMs: number | undefined;
}

/** Returns how far the stored requests of the app go back, at most to `fromMs`. */
export async function findStoredRequests(tenant: Tenant, fromMs: number): Promise<StoredRequests> {
  const oldest = await findOldestRequest(tenant, firstUuidAt(fromMs));
  const oldestMs = oldest === undefined ? undefined : msOfUuid(oldest);
  const { oldest_partition, request_days } = await findStoredPeriod(tenant);
  const partitionMs = oldest_partition === null ? 0 : msOfUuid(oldest_partition);
  const quotaMs = request_days === null ? 0 : nowMs() - request_days * DAY_MS;
  // A record can be older: it waits for its deletion, or is in the default partition.
  const storedMs = Math.min(oldestMs ?? Number.POSITIVE_INFINITY, Math.max(partitionMs, quotaMs));
  return { sinceMs: Math.max(fromMs, storedMs), oldestMs };
}
