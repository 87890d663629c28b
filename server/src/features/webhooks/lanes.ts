// How much may be claimed for whom. A lane is an endpoint; what hangs in one lane takes no place from another, because
// free places are dealt one at a time, first to the lanes that have the fewest, and because those that are not known to let their
// places go soon have half of them at most.

export interface DueLaneRow {
  app_id: string;
  endpoint_id: string;
}

export interface LanePlan {
  endpointId: string;
  room: number;
}

export interface Load {
  /** All that is in flight. */
  total: number;
  ofEndpoint(endpointId: string): number;
  ofApp(appId: string): number;
  slow(): SlowLoad;
}

/** Of the endpoints that hold a place for long, or of which nothing is known yet. */
export interface SlowLoad {
  isSlow(endpointId: string): boolean;
  total: number;
  ofApp(appId: string): number;
}

export const MAX_PER_ENDPOINT = 8;
/** Enough for one that is slow and well; a hundred that hang for fifteen seconds at a time would otherwise hold every place. */
export const MAX_PER_SLOW_ENDPOINT = 2;
const SLOW_SHARE = 0.5;
// An app may have many endpoints; without this bound a few hostile apps would hold every place.
export const MAX_PER_APP = 32;

export function planLanes(due: readonly DueLaneRow[], load: Load, maxInFlight: number): LanePlan[] {
  const slow = load.slow();
  const lanes = due.map((row) => {
    const isSlow = slow.isSlow(row.endpoint_id);
    return {
      appId: row.app_id,
      endpointId: row.endpoint_id,
      isSlow,
      most: isSlow ? MAX_PER_SLOW_ENDPOINT : MAX_PER_ENDPOINT,
      taken: load.ofEndpoint(row.endpoint_id),
      room: 0,
    };
  });
  lanes.sort((a, b) => a.taken - b.taken || Number(a.isSlow) - Number(b.isSlow));
  const ofApps = new Map(lanes.map(({ appId }) => [appId, load.ofApp(appId)]));
  const slowOfApps = new Map(lanes.map(({ appId }) => [appId, slow.ofApp(appId)]));
  const takenOf = (apps: ReadonlyMap<string, number>, appId: string): number => apps.get(appId) ?? 0;
  let free = maxInFlight - load.total;
  let freeForSlow = Math.floor(maxInFlight * SLOW_SHARE) - slow.total;
  for (let round = 1; round <= MAX_PER_ENDPOINT && free > 0; round += 1) {
    for (const lane of lanes) {
      const { appId, isSlow } = lane;
      // Round n brings a lane to n places, so that an empty lane catches up before a busy one gets more.
      if (free === 0 || lane.taken + lane.room >= Math.min(round, lane.most)) continue;
      if (takenOf(ofApps, appId) >= MAX_PER_APP) continue;
      if (isSlow && (freeForSlow <= 0 || takenOf(slowOfApps, appId) >= MAX_PER_APP * SLOW_SHARE)) continue;
      lane.room += 1;
      free -= 1;
      ofApps.set(appId, takenOf(ofApps, appId) + 1);
      if (!isSlow) continue;
      freeForSlow -= 1;
      slowOfApps.set(appId, takenOf(slowOfApps, appId) + 1);
    }
  }
  return lanes.filter((lane) => lane.room > 0).map(({ endpointId, room }) => ({ endpointId, room }));
}
