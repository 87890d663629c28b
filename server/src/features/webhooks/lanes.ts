// How much may be claimed for whom. A lane is an endpoint; what hangs in one lane takes no place from another, because
// free places are dealt one at a time, first to the lanes that have the fewest.

export interface DueLaneRow {
  app_id: string;
  endpoint_id: string;
  /** Null when the endpoint was deleted. */
  url: string | null;
  rate_per_second: number | null;
  /** Until its rate has room again; 0 when it has. */
  wait_ms: number;
}

export interface LanePlan {
  appId: string;
  endpointId: string;
  room: number;
  ratePerSecond: number | null;
}

export interface Load {
  /** All that is in flight. */
  total: number;
  ofEndpoint(endpointId: string): number;
  ofApp(appId: string): number;
  ofHost(host: string): number;
}

export const MAX_PER_ENDPOINT = 8;
// An app may have many endpoints; without this bound a few hostile apps would hold every place.
export const MAX_PER_APP = 32;
// A host may be the destination of many apps, of which none may know of the others: a fan-out is no weapon against it. As many
// as the outbound door lets through at a time, so that nothing waits there in a place that another host could use.
export const MAX_PER_HOST = 32;

/** Host and port as the outbound door counts them; what is no URL fails there. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

export function planLanes(due: readonly DueLaneRow[], load: Load, maxInFlight: number): LanePlan[] {
  // A lane whose rate is used up is dealt nothing: it would keep the places of those that come after it.
  const lanes = due
    .filter((row) => row.wait_ms === 0)
    .map((row) => ({
      appId: row.app_id,
      endpointId: row.endpoint_id,
      host: hostOf(row.url ?? ''),
      ratePerSecond: row.rate_per_second,
      taken: load.ofEndpoint(row.endpoint_id),
      room: 0,
    }));
  lanes.sort((a, b) => a.taken - b.taken);
  const ofApps = new Map(lanes.map(({ appId }) => [appId, load.ofApp(appId)]));
  const ofHosts = new Map(lanes.map(({ host }) => [host, load.ofHost(host)]));
  let free = maxInFlight - load.total;
  for (let round = 1; round <= MAX_PER_ENDPOINT && free > 0; round += 1) {
    for (const lane of lanes) {
      const ofApp = ofApps.get(lane.appId) ?? 0;
      const ofHost = ofHosts.get(lane.host) ?? 0;
      // Round n brings a lane to n places, so that an empty lane catches up before a busy one gets more.
      if (free === 0 || lane.taken + lane.room >= round || ofApp >= MAX_PER_APP || ofHost >= MAX_PER_HOST) continue;
      lane.room += 1;
      free -= 1;
      ofApps.set(lane.appId, ofApp + 1);
      ofHosts.set(lane.host, ofHost + 1);
    }
  }
  return lanes
    .filter((lane) => lane.room > 0)
    .map(({ appId, endpointId, room, ratePerSecond }) => ({ appId, endpointId, room, ratePerSecond }));
}

/** When the first of the lanes whose rate is used up has room again; undefined when none is. */
export function nextRoomInMs(due: readonly DueLaneRow[]): number | undefined {
  const waitsMs = due.flatMap(({ wait_ms }) => (wait_ms > 0 ? [wait_ms] : []));
  return waitsMs.length === 0 ? undefined : Math.min(...waitsMs);
}
