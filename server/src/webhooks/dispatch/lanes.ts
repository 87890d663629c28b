// How much may be claimed for whom. A lane is an endpoint; what hangs in one lane takes no place from another, because
// free places are dealt one at a time, first to the lanes that have the fewest, and because those that are not known to let their
// places go soon have half of them at most.
import { memo } from '../../kit/flow/memo.ts';

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
// A host may be the destination of many apps, of which none may know of the others: a fan-out is no weapon against it. Of the slow as
// many as the outbound door lets through at a time, so that nothing waits there in a place that another host could use. Of those that
// answer soon as many again wait there: they go out while the next ones are claimed.
export const MAX_PER_HOST = 32;
const WITH_THE_WAITING = 2 * MAX_PER_HOST;
const MOST_URLS = 1_000;

/** Host and port as the outbound door counts them, without the root's trailing dot; what is no URL fails there, and a listener is one. */
export const hostOf = memo(
  (url) => (URL.canParse(url) ? new URL(url).host.replace(/\.(?=:|$)/, '') || url : url),
  MOST_URLS,
);

/** Places that are taken under a key, of so many at most. */
function createBound(takenBefore: (key: string) => number, mostOfAll: number) {
  const counts = new Map<string, number>();
  const taken = (key: string): number => counts.get(key) ?? takenBefore(key);
  return {
    isFull: (key: string, most = mostOfAll): boolean => taken(key) >= most,
    take: (key: string): void => void counts.set(key, taken(key) + 1),
  };
}

function toLanes(due: readonly DueLaneRow[], load: Load, slow: SlowLoad) {
  // A lane whose rate is used up is dealt nothing: it would keep the places of those that come after it.
  const lanes = due
    .filter((row) => row.wait_ms === 0)
    .map((row) => {
      const isSlow = slow.isSlow(row.endpoint_id);
      return {
        appId: row.app_id,
        endpointId: row.endpoint_id,
        host: hostOf(row.url ?? ''),
        ratePerSecond: row.rate_per_second,
        isSlow,
        most: isSlow ? MAX_PER_SLOW_ENDPOINT : MAX_PER_ENDPOINT,
        taken: load.ofEndpoint(row.endpoint_id),
        room: 0,
      };
    });
  return lanes.sort((a, b) => a.taken - b.taken || Number(a.isSlow) - Number(b.isSlow));
}

export function planLanes(due: readonly DueLaneRow[], load: Load, maxInFlight: number): LanePlan[] {
  const slow = load.slow();
  const lanes = toLanes(due, load, slow);
  const apps = createBound(load.ofApp, MAX_PER_APP);
  const slowOfApps = createBound(slow.ofApp, MAX_PER_APP * SLOW_SHARE);
  const hosts = createBound(load.ofHost, MAX_PER_HOST);
  let free = maxInFlight - load.total;
  let freeForSlow = Math.floor(maxInFlight * SLOW_SHARE) - slow.total;
  for (let round = 1; round <= MAX_PER_ENDPOINT && free > 0; round += 1) {
    for (const lane of lanes) {
      const { appId, host, isSlow } = lane;
      // Round n brings a lane to n places, so that an empty lane catches up before a busy one gets more.
      if (free === 0 || lane.taken + lane.room >= Math.min(round, lane.most)) continue;
      if (apps.isFull(appId) || hosts.isFull(host, isSlow ? MAX_PER_HOST : WITH_THE_WAITING)) continue;
      if (isSlow && (freeForSlow <= 0 || slowOfApps.isFull(appId))) continue;
      lane.room += 1;
      free -= 1;
      apps.take(appId);
      hosts.take(host);
      if (!isSlow) continue;
      freeForSlow -= 1;
      slowOfApps.take(appId);
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
