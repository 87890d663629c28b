// How fast endpoints answer this worker: their class decides how many places of a host they may take.
import { SLOW_AFTER_MS, type Speed } from '../../kit/outbound/host-budget.ts';

/** Share of the latest attempt in the moving average. */
const WEIGHT = 0.25;
/** A longer attempt counts as this: after one time-out an endpoint that answers quickly is fast again after six attempts. */
const MOST_MS = 4 * SLOW_AFTER_MS;
const REMEMBERED = 10_000;

/** The moving averages of attempts per endpoint. The endpoints that had an attempt longest ago are forgotten: unknown again. */
export function createSpeeds(mostRemembered = REMEMBERED) {
  const averagesMs = new Map<string, number>();
  return {
    of(endpointId: string): Speed {
      const averageMs = averagesMs.get(endpointId);
      if (averageMs === undefined) return 'unknown';
      return averageMs <= SLOW_AFTER_MS ? 'fast' : 'slow';
    },
    note(endpointId: string, tookMs: number): void {
      const ms = Math.min(tookMs, MOST_MS);
      const beforeMs = averagesMs.get(endpointId) ?? ms;
      averagesMs.delete(endpointId);
      averagesMs.set(endpointId, beforeMs + (ms - beforeMs) * WEIGHT);
      const [oldest] = averagesMs.keys();
      if (averagesMs.size > mostRemembered && oldest !== undefined) averagesMs.delete(oldest);
    },
  };
}
