// How far claims look into each endpoint's queue. Deliveries that are not allowed must not keep those behind them waiting.
import { LRUCache } from 'lru-cache';
import type { JudgedLane } from './claim-deliveries.ts';
import type { LanePlan } from './lanes.ts';

/** How many deliveries of an endpoint one claim judges at most, after claims that refused all of theirs. */
const LOOK_AT_MOST = 500;
const LOOK_GROWS = 8;
/** Endpoints that are remembered. A forgotten endpoint begins with a short look again. No claim reports a deleted endpoint. */
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
    /** How many endpoints are remembered. */
    size: (): number => looks.size,
  };
}
