// Measures how fast endpoints respond to this worker. The class of an endpoint limits its places of a host. The
// endpoint's own limit grows while it responds quickly.
import { LRUCache } from 'lru-cache';
import { type ReceiverSpeed, SLOW_AFTER_MS } from '../../../kit/outbound/host-budget.ts';

/** Weight of the latest attempt in the moving average. */
const WEIGHT = 0.25;
/** Maximum duration that counts. After one time-out, a quick endpoint is therefore fast again after six attempts. */
const MAX_MEASURED_MS = 4 * SLOW_AFTER_MS;
const MAX_REMEMBERED_ENDPOINTS = 10_000;
const UNKNOWN_SLOTS = 1;
/**
 * Enough for a slow but working endpoint. With more, a hundred endpoints that hang for 15 seconds at a time would hold
 * every place.
 */
export const MAX_PER_SLOW_ENDPOINT = 2;
/**
 * Initial places of a fast endpoint. Each attempt within SLOW_AFTER_MS adds one place, and each longer attempt halves
 * them.
 */
export const FIRST_PER_FAST_ENDPOINT = 8;
/** Equal to the limit of an app. */
export const MAX_PER_FAST_ENDPOINT = 32;

interface ResponseSpeed {
  averageMs: number;
  places: number;
}

/**
 * Keeps the moving average per endpoint. The endpoints whose last attempt is oldest are forgotten and become unknown
 * again.
 */
export function createEndpointSpeeds(mostRemembered = MAX_REMEMBERED_ENDPOINTS) {
  // Only an attempt refreshes an entry, so reads use `peek`.
  const endpoints = new LRUCache<string, ResponseSpeed>({ max: mostRemembered });
  function of(endpointId: string): ReceiverSpeed {
    const known = endpoints.peek(endpointId);
    if (known === undefined) return 'unknown';
    return known.averageMs <= SLOW_AFTER_MS ? 'fast' : 'slow';
  }
  return {
    of,
    /** Returns how many attempts to the endpoint may be in flight at this speed. */
    placesOf(endpointId: string, speed: ReceiverSpeed): number {
      if (speed === 'unknown') return UNKNOWN_SLOTS;
      if (speed === 'slow') return MAX_PER_SLOW_ENDPOINT;
      return endpoints.peek(endpointId)?.places ?? FIRST_PER_FAST_ENDPOINT;
    },
    note(endpointId: string, tookMs: number): void {
      const ms = Math.min(tookMs, MAX_MEASURED_MS);
      const before = endpoints.peek(endpointId) ?? { averageMs: ms, places: FIRST_PER_FAST_ENDPOINT - 1 };
      const places = ms <= SLOW_AFTER_MS ? before.places + 1 : Math.floor(before.places / 2);
      endpoints.set(endpointId, {
        averageMs: before.averageMs + (ms - before.averageMs) * WEIGHT,
        places: Math.min(Math.max(places, MAX_PER_SLOW_ENDPOINT), MAX_PER_FAST_ENDPOINT),
      });
    },
  };
}
