// Keeps requests without an authenticated key. They belong to no app and any client can send them. So a limited number
// per address and in total is kept singly, and others are only counted: a flood cannot fill a table. Both are committed
// before the response is sent.

import type { Database } from '../../kit/db/db.ts';
import { type Batcher, createBatcher } from '../../kit/flow/batcher.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { createAddressLimiter } from '../../kit/http/address-limiter.ts';
import { type AddressPrecision, networkOf, reduceAddress } from '../../kit/outbound/addresses.ts';
import type { UnauthenticatedRequest } from './unauthenticated-request.ts';
import {
  addUnauthenticatedCounts,
  insertUnauthenticated,
  type NewUnauthenticatedRequest,
  type UnauthenticatedCount,
} from './unauthenticated-store.ts';

const LIMIT_PER_ADDRESS = { perMinute: 10, burst: 30 };
const TOTAL_LIMIT = { perMinute: 120, burst: 1_000 };
const ANY_ADDRESS = '0.0.0.0';
const MAX_NETWORKS_AN_HOUR = 1_000;
const HOUR_MS = 3_600_000;

type UnauthenticatedItem = { row: NewUnauthenticatedRequest } | { count: UnauthenticatedCount };

interface UnauthenticatedRecorder {
  record(request: UnauthenticatedRequest): Promise<unknown>;
}

export function createUnauthenticatedRecorder(
  db: Database,
  addresses: AddressPrecision,
  batch: { maxInFlight: number; maxSize: number; deadlineMs: number; timeoutError(): Error },
): UnauthenticatedRecorder {
  const ofAddress = createAddressLimiter(LIMIT_PER_ADDRESS);
  const altogether = createAddressLimiter(TOTAL_LIMIT);
  const nameNetwork = createNetworkNames();
  const batcher: Batcher<UnauthenticatedItem, undefined> = createBatcher({
    ...batch,
    async run(items) {
      const rows = items.flatMap((item) => ('row' in item ? [item.row] : []));
      const counts = sumCounts(items.flatMap((item) => ('count' in item ? [item.count] : [])));
      if (rows.length > 0) await insertUnauthenticated(db, rows);
      if (counts.length > 0) await addUnauthenticatedCounts(db, counts);
      return [];
    },
  });

  return {
    record({ ip, ...request }) {
      const isKept = ofAddress.take(ip ?? '') && altogether.take(ANY_ADDRESS);
      if (isKept) return batcher.join({ row: { ...request, clientAddress: reduceAddress(ip, addresses) } });
      const network = addresses === 'none' || ip === undefined ? '' : nameNetwork(networkOf(ip, 24, 48));
      return batcher.join({ count: { network, code: request.code ?? '', requests: 1 } });
    },
  };
}

/**
 * Returns a function that returns the network of an address. The result is empty once an hour has named the maximum
 * number of networks, so that addresses cannot fill the table.
 */
function createNetworkNames(): (network: string) => string {
  const names = new Set<string>();
  let beganAtMs = monotonicMs();
  return (network) => {
    if (monotonicMs() - beganAtMs > HOUR_MS) {
      names.clear();
      beganAtMs = monotonicMs();
    }
    if (names.size < MAX_NETWORKS_AN_HOUR) names.add(network);
    return names.has(network) ? network : '';
  };
}

function sumCounts(counts: readonly UnauthenticatedCount[]): UnauthenticatedCount[] {
  const sums = new Map<string, UnauthenticatedCount>();
  for (const one of counts) {
    const key = `${one.network} ${one.code}`;
    const held = sums.get(key);
    sums.set(key, held ? { ...held, requests: held.requests + one.requests } : one);
  }
  return [...sums.values()];
}
