// How much may be claimed for whom. A lane is an endpoint; what hangs in one lane takes no place from another, because
// free places are dealt one at a time, first to the lanes that have the fewest.

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
}

export const MAX_PER_ENDPOINT = 8;
// An app may have many endpoints; without this bound a few hostile apps would hold every place.
export const MAX_PER_APP = 32;

export function planLanes(due: readonly DueLaneRow[], load: Load, maxInFlight: number): LanePlan[] {
  const lanes = due.map((row) => ({
    appId: row.app_id,
    endpointId: row.endpoint_id,
    taken: load.ofEndpoint(row.endpoint_id),
    room: 0,
  }));
  lanes.sort((a, b) => a.taken - b.taken);
  const takenByApp = new Map(lanes.map((lane) => [lane.appId, load.ofApp(lane.appId)]));
  let free = maxInFlight - load.total;
  for (let round = 1; round <= MAX_PER_ENDPOINT && free > 0; round += 1) {
    for (const lane of lanes) {
      const ofApp = takenByApp.get(lane.appId) ?? 0;
      // Round n brings a lane to n places, so that an empty lane catches up before a busy one gets more.
      if (free === 0 || lane.taken + lane.room >= round || ofApp >= MAX_PER_APP) continue;
      lane.room += 1;
      free -= 1;
      takenByApp.set(lane.appId, ofApp + 1);
    }
  }
  return lanes.filter((lane) => lane.room > 0).map(({ endpointId, room }) => ({ endpointId, room }));
}
