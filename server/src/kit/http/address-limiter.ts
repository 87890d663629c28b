// Limits requests per client address with token buckets. Each node counts for itself, and remembers a bounded number of
// addresses.

import { LRUCache } from 'lru-cache';
import { monotonicMs } from '../flow/clock.ts';
import { problem } from '../openapi/problems.ts';
import { networkOf } from '../outbound/addresses.ts';

export interface AddressLimiter {
  /** Throws rate_limited if the address has no token left. */
  refuse(ip: string): void;
  count(ip: string): void;
  /** Takes a token. Returns false if the address has none left. */
  take(ip: string): boolean;
}

export interface AddressRate {
  perMinute: number;
  burst: number;
}

const MAX_ADDRESSES = 10_000;

export function createAddressLimiter({ perMinute, burst }: AddressRate): AddressLimiter {
  const buckets = new LRUCache<string, { tokens: number; atMs: number }>({ max: MAX_ADDRESSES });
  // A holder of an IPv6 address usually has the whole /64, so the network is counted.
  const placeOf = (ip: string): string => networkOf(ip, 32, 64);

  function tokensOf(place: string): number {
    const bucket = buckets.get(place);
    if (!bucket) return burst;
    return Math.min(burst, bucket.tokens + ((monotonicMs() - bucket.atMs) / 60_000) * perMinute);
  }

  function count(place: string): void {
    const tokens = tokensOf(place) - 1;
    buckets.set(place, { tokens, atMs: monotonicMs() });
  }

  return {
    refuse(ip) {
      const tokens = tokensOf(placeOf(ip));
      if (tokens >= 1) return;
      const seconds = Math.ceil(((1 - tokens) / perMinute) * 60);
      throw problem('rate_limited', { headers: { 'retry-after': String(seconds) } });
    },
    count: (ip) => count(placeOf(ip)),
    take(ip) {
      const place = placeOf(ip);
      const isFree = tokensOf(place) >= 1;
      if (isFree) count(place);
      return isFree;
    },
  };
}
