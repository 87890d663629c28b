// How much may be claimed for whom. A lane is an endpoint; what hangs in one lane takes no place from another, because
// free places are dealt one at a time, first to the lanes that have the fewest, and because lanes that are not known to be fast
// have half of the places at most: of the worker, of their app, and of their host (kit/outbound/host-budget.ts).
import { memo } from '../../kit/flow/memo.ts';
import { createHostBudget, type Speed, type SpeedCounts } from '../../kit/outbound/host-budget.ts';

export { MAX_PER_SLOW_ENDPOINT } from './speeds.ts';

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
  /** How many attempts to the endpoint may be in flight. */
  placesOf(endpointId: string): number;
  ofHost(host: string): SpeedCounts;
  /** All that is in flight and not fast. */
  notFast: number;
  notFastOfApp(appId: string): number;
}

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

const halfOf = (places: number): number => Math.floor(places * SLOW_SHARE);

/** The free places among so many. What is not fast beyond half of them takes no place from others, up to half as many again. */
function freeAmong(places: number, all: number, notFast: number): number {
  const half = halfOf(places);
  return Math.min(places - (all - notFast) - Math.min(notFast, half), places + half - all);
}

/** The places of apps, of which slow and unknown lanes have half at most. */
function createApps({ ofApp }: Load, { notFastOfApp }: SpeedLoad) {
  const apps = new Map<string, { all: number; notFast: number }>();
  const taken = (appId: string): { all: number; notFast: number } => {
    const counts = apps.get(appId) ?? { all: ofApp(appId), notFast: notFastOfApp(appId) };
    apps.set(appId, counts);
    return counts;
  };
  return {
    hasRoom(appId: string, speed: Speed): boolean {
      const { all, notFast } = taken(appId);
      return freeAmong(MAX_PER_APP, all, notFast) > 0 && (speed === 'fast' || notFast < halfOf(MAX_PER_APP));
    },
    take(appId: string, speed: Speed): void {
      const counts = taken(appId);
      counts.all += 1;
      if (speed !== 'fast') counts.notFast += 1;
    },
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

interface Lane extends LanePlan {
  host: string;
  speed: Speed;
  most: number;
  taken: number;
}

function toLanes(due: readonly DueLaneRow[], load: Load, speeds: SpeedLoad): Lane[] {
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
        most: speeds.placesOf(row.endpoint_id),
        taken: load.ofEndpoint(row.endpoint_id),
        room: 0,
      };
    });
  return lanes.sort((a, b) => a.taken - b.taken || SPEEDS.indexOf(a.speed) - SPEEDS.indexOf(b.speed));
}

/** The free places of a worker. */
export const freeOf = ({ total }: Load, { notFast }: SpeedLoad, maxInFlight: number): number =>
  freeAmong(maxInFlight, total, notFast);

export function planLanes(due: readonly DueLaneRow[], load: Load, maxInFlight: number): LanePlan[] {
  const speeds = load.speeds();
  const lanes = toLanes(due, load, speeds);
  const apps = createApps(load, speeds);
  const hosts = createHosts(speeds.ofHost);
  let free = freeOf(load, speeds, maxInFlight);
  let freeForSlow = halfOf(maxInFlight) - speeds.notFast;
  /** Deals the lane one place; false when it gets none in any later round either: what is full stays full. */
  function deal(lane: Lane): boolean {
    const { appId, host, speed } = lane;
    if (lane.taken + lane.room >= lane.most || !apps.hasRoom(appId, speed) || !hosts.hasRoom(host, speed)) return false;
    if (speed !== 'fast' && freeForSlow <= 0) return false;
    lane.room += 1;
    free -= 1;
    apps.take(appId, speed);
    hosts.take(host, speed);
    if (speed !== 'fast') freeForSlow -= 1;
    return true;
  }
  let open = lanes;
  for (let round = 1; open.length > 0 && free > 0; round += 1) {
    // Round n brings a lane to n places, so that an empty lane catches up before a busy one gets more.
    open = open.filter((lane) => free > 0 && (lane.taken + lane.room >= round || deal(lane)));
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
