// How much may be claimed for whom. A lane is an endpoint; what hangs in one lane takes no place from another, because
// free places are dealt one at a time, first to the lanes that have the fewest, and because lanes that are not known to be fast
// have half of the places at most: of the worker, of their app, and of their host (kit/outbound/host-budget.ts).
import { memo } from '../../kit/flow/memo.ts';
import { createHostBudget, type Speed, type SpeedCounts } from '../../kit/outbound/host-budget.ts';

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
  speeds(): SpeedLoad;
}

/** How fast endpoints are, and what is in flight by that. */
export interface SpeedLoad {
  of(endpointId: string): Speed;
  ofHost(host: string): SpeedCounts;
  /** All that is in flight and not fast. */
  notFast: number;
  notFastOfApp(appId: string): number;
}

export const MAX_PER_ENDPOINT = 8;
/** Enough for one that is slow and well; a hundred that hang for fifteen seconds at a time would otherwise hold every place. */
export const MAX_PER_SLOW_ENDPOINT = 2;
const MOST_OF: Readonly<Record<Speed, number>> = { fast: MAX_PER_ENDPOINT, unknown: 1, slow: MAX_PER_SLOW_ENDPOINT };
const SLOW_SHARE = 0.5;
// An app may have many endpoints; without this bound a few hostile apps would hold every place.
export const MAX_PER_APP = 32;
// A host may be the destination of many apps, of which none may know of the others: a fan-out is no weapon against it.
export const MAX_PER_HOST = 32;
const HOST_BUDGET = createHostBudget(MAX_PER_HOST);
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
    isFull: (key: string): boolean => taken(key) >= mostOfAll,
    take: (key: string): void => void counts.set(key, taken(key) + 1),
  };
}

/**
 * Slow and unknown lanes are dealt what the outbound client lets through at a time, so that nothing waits there in a place that
 * another host could use. Fast ones are dealt twice that: half of them wait there and go out while the next ones are claimed.
 */
function createHosts(takenBefore: (host: string) => SpeedCounts) {
  const hosts = new Map<string, SpeedCounts>();
  const taken = (host: string): SpeedCounts => {
    const counts = hosts.get(host) ?? { ...takenBefore(host) };
    hosts.set(host, counts);
    return counts;
  };
  return {
    hasRoom(host: string, speed: Speed): boolean {
      const counts = taken(host);
      return HOST_BUDGET.hasRoom({ ...counts, fast: speed === 'fast' ? Math.floor(counts.fast / 2) : 0 }, speed);
    },
    take(host: string, speed: Speed): void {
      taken(host)[speed] += 1;
    },
  };
}

const SPEEDS: readonly Speed[] = ['fast', 'unknown', 'slow'];

function toLanes(due: readonly DueLaneRow[], load: Load, speeds: SpeedLoad) {
  // A lane whose rate is used up is dealt nothing: it would keep the places of those that come after it.
  const lanes = due
    .filter((row) => row.wait_ms === 0)
    .map((row) => {
      const speed = speeds.of(row.endpoint_id);
      return {
        appId: row.app_id,
        endpointId: row.endpoint_id,
        host: hostOf(row.url ?? ''),
        ratePerSecond: row.rate_per_second,
        speed,
        most: MOST_OF[speed],
        taken: load.ofEndpoint(row.endpoint_id),
        room: 0,
      };
    });
  return lanes.sort((a, b) => a.taken - b.taken || SPEEDS.indexOf(a.speed) - SPEEDS.indexOf(b.speed));
}

export function planLanes(due: readonly DueLaneRow[], load: Load, maxInFlight: number): LanePlan[] {
  const speeds = load.speeds();
  const lanes = toLanes(due, load, speeds);
  const apps = createBound(load.ofApp, MAX_PER_APP);
  const slowOfApps = createBound(speeds.notFastOfApp, MAX_PER_APP * SLOW_SHARE);
  const hosts = createHosts(speeds.ofHost);
  let free = maxInFlight - load.total;
  let freeForSlow = Math.floor(maxInFlight * SLOW_SHARE) - speeds.notFast;
  for (let round = 1; round <= MAX_PER_ENDPOINT && free > 0; round += 1) {
    for (const lane of lanes) {
      const { appId, host, speed } = lane;
      // Round n brings a lane to n places, so that an empty lane catches up before a busy one gets more.
      if (free === 0 || lane.taken + lane.room >= Math.min(round, lane.most)) continue;
      if (apps.isFull(appId) || !hosts.hasRoom(host, speed)) continue;
      if (speed !== 'fast' && (freeForSlow <= 0 || slowOfApps.isFull(appId))) continue;
      lane.room += 1;
      free -= 1;
      apps.take(appId);
      hosts.take(host, speed);
      if (speed === 'fast') continue;
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
