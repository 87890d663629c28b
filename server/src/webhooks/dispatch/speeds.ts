// How fast endpoints answer this worker: their class decides how many places of a host they may take, and each endpoint's places
// grow while it answers quickly.
import { LRUCache } from 'lru-cache';
import { SLOW_AFTER_MS, type Speed } from '../../kit/outbound/host-budget.ts';

/** Share of the latest attempt in the moving average. */
const WEIGHT = 0.25;
/** A longer attempt counts as this: after one time-out an endpoint that answers quickly is fast again after six attempts. */
const MOST_MS = 4 * SLOW_AFTER_MS;
const REMEMBERED = 10_000;
const UNKNOWN_PLACES = 1;
/** Enough for one that is slow and well; a hundred that hang for fifteen seconds at a time would otherwise hold every place. */
export const MAX_PER_SLOW_ENDPOINT = 2;
/** A fast endpoint begins with these places. Each attempt within SLOW_AFTER_MS adds one, each longer one halves them. */
export const FIRST_PER_FAST_ENDPOINT = 8;
/** All that an app has. */
export const MAX_PER_FAST_ENDPOINT = 32;

interface Answering {
  averageMs: number;
  places: number;
}

/** The moving averages of attempts per endpoint. The endpoints that had an attempt longest ago are forgotten: unknown again. */
export function createSpeeds(mostRemembered = REMEMBERED) {
  // Only an attempt renews an entry, so reads peek.
  const endpoints = new LRUCache<string, Answering>({ max: mostRemembered });
  function of(endpointId: string): Speed {
    const known = endpoints.peek(endpointId);
    if (known === undefined) return 'unknown';
    return known.averageMs <= SLOW_AFTER_MS ? 'fast' : 'slow';
  }
  return {
    of,
    /** How many attempts to the endpoint may be in flight, while its speed is this. */
    placesOf(endpointId: string, speed: Speed): number {
      if (speed === 'unknown') return UNKNOWN_PLACES;
      if (speed === 'slow') return MAX_PER_SLOW_ENDPOINT;
      return endpoints.peek(endpointId)?.places ?? FIRST_PER_FAST_ENDPOINT;
    },
    note(endpointId: string, tookMs: number): void {
      const ms = Math.min(tookMs, MOST_MS);
      const before = endpoints.peek(endpointId) ?? { averageMs: ms, places: FIRST_PER_FAST_ENDPOINT - 1 };
      const places = ms <= SLOW_AFTER_MS ? before.places + 1 : Math.floor(before.places / 2);
      endpoints.set(endpointId, {
        averageMs: before.averageMs + (ms - before.averageMs) * WEIGHT,
        places: Math.min(Math.max(places, MAX_PER_SLOW_ENDPOINT), MAX_PER_FAST_ENDPOINT),
      });
    },
  };
}
