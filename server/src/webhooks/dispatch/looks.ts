// Decides how many deliveries of each endpoint a claim judges. Refused deliveries must not delay those behind them in
// the queue.
import { LRUCache } from 'lru-cache';
import type { JudgedLane } from './claim-deliveries.ts';
import type { LanePlan } from './lanes.ts';

/** Maximum number of deliveries of an endpoint that a claim judges, after claims that refused all that they judged. */
const LOOK_AT_MOST = 500;
const LOOK_GROWS = 8;
/**
 * Number of remembered endpoints. A forgotten endpoint begins with a short look again. No claim reports the deletion of
 * an endpoint, so entries end only by this limit.
 */
const MOST_REMEMBERED = 10_000;

export function createLooks(mostRemembered = MOST_REMEMBERED) {
  const looks = new LRUCache<string, number>({ max: mostRemembered });

  return {
    at: (lanes: readonly LanePlan[]): JudgedLane[] =>
      lanes.map((lane) => ({ ...lane, look: Math.max(lane.room, looks.get(lane.endpointId) ?? 0) })),
    note(lanes: readonly JudgedLane[], refused: ReadonlyMap<string, number>): void {
      for (const { endpointId, look } of lanes) {
        if ((refused.get(endpointId) ?? 0) < look) looks.delete(endpointId);
        else looks.set(endpointId, Math.min(look * LOOK_GROWS, LOOK_AT_MOST));
      }
    },
    /** Returns the number of remembered endpoints. */
    size: (): number => looks.size,
  };
}
