// Plans how many deliveries may be claimed from each endpoint queue. A hanging queue takes no slot from another queue:
// free slots are assigned one at a time, first to the queues with the fewest. Queues that are not known to be fast have
// at most half of the slots of the worker and of their app. A host leaves them at most 20 of its 32 slots: 16 for slow
// and 4 for unknown queues (kit/outbound/host-budget.ts).
import { memo } from '../../../kit/flow/memo.ts';
import { createHostBudget, type ReceiverSpeed, type SpeedCounts } from '../../../kit/outbound/host-budget.ts';

export interface DueQueueRow {
  app_id: string;
  endpoint_id: string;
  /** Null if the endpoint was deleted. */
  url: string | null;
  rate_per_second: number | null;
  /** Milliseconds until the endpoint's rate allows an attempt again; 0 if it allows one now. */
  wait_ms: number;
}

export interface QueuePlan {
  appId: string;
  endpointId: string;
  /** The number of deliveries that the round may claim. */
  slots: number;
  ratePerSecond: number | null;
}

export interface DispatchLoad {
  /** Number of all attempts in flight. */
  total: number;
  ofEndpoint(endpointId: string): number;
  ofApp(appId: string): number;
  speeds(): SpeedLoad;
}

/** Speeds of endpoints, and the number of attempts in flight by speed. */
export interface SpeedLoad {
  of(endpointId: string): ReceiverSpeed;
  /** Returns how many attempts to the endpoint may be in flight. */
  slotsOf(endpointId: string): number;
  ofHost(host: string): SpeedCounts;
  /** Number of all attempts in flight that are not fast. */
  notFast: number;
  notFastOfApp(appId: string): number;
}

const SLOW_SHARE = 0.5;
// An app may have many endpoints. Without this limit a few hostile apps would hold every slot.
export const MAX_PER_APP = 32;
// Many apps may send to the same host without knowing of each other. This limit prevents a fan-out attack on the host.
export const MAX_PER_HOST = 32;
const HOST_BUDGET = createHostBudget(MAX_PER_HOST);
const MAX_CACHED_URLS = 1_000;

/**
 * Returns host and port as the outbound client counts them, without the trailing dot of the DNS root. Returns a
 * listener and a text that is no URL unchanged; the outbound client refuses the latter.
 */
export const hostOf = memo(
  (url) => (URL.canParse(url) ? new URL(url).host.replace(/\.(?=:|$)/, '') || url : url),
  MAX_CACHED_URLS,
);

const halfOf = (slots: number): number => Math.floor(slots * SLOW_SHARE);

/**
 * Returns how many of `limit` slots are free. Attempts that are not fast use up at most half of the slots. Further
 * attempts that are not fast use no slot, but all attempts together are at most one and a half times `limit`.
 */
function countFreeSlots(limit: number, all: number, notFast: number): number {
  const half = halfOf(limit);
  return Math.min(limit - (all - notFast) - Math.min(notFast, half), limit + half - all);
}

/** Counts the slots of apps. Slow and unknown queues have at most half of them. */
function createAppUsage({ ofApp }: DispatchLoad, { notFastOfApp }: SpeedLoad) {
  const apps = new Map<string, { all: number; notFast: number }>();
  const taken = (appId: string): { all: number; notFast: number } => {
    const counts = apps.get(appId) ?? { all: ofApp(appId), notFast: notFastOfApp(appId) };
    apps.set(appId, counts);
    return counts;
  };
  return {
    hasSlot(appId: string, speed: ReceiverSpeed): boolean {
      const { all, notFast } = taken(appId);
      return countFreeSlots(MAX_PER_APP, all, notFast) > 0 && (speed === 'fast' || notFast < halfOf(MAX_PER_APP));
    },
    take(appId: string, speed: ReceiverSpeed): void {
      const counts = taken(appId);
      counts.all += 1;
      if (speed !== 'fast') counts.notFast += 1;
    },
  };
}

/**
 * Counts the slots of hosts. Slow and unknown queues get as many slots as the outbound client admits at a time. So no
 * delivery of these queues waits in a slot that another host could use. Fast queues get twice as many: half of their
 * deliveries wait there and are sent during the next claim.
 */
function createHostUsage(takenBefore: (host: string) => SpeedCounts) {
  const hosts = new Map<string, SpeedCounts>();
  const taken = (host: string): SpeedCounts => {
    const counts = hosts.get(host) ?? { ...takenBefore(host) };
    hosts.set(host, counts);
    return counts;
  };
  return {
    hasSlot(host: string, speed: ReceiverSpeed): boolean {
      const counts = taken(host);
      return HOST_BUDGET.hasSlot({ ...counts, fast: speed === 'fast' ? Math.floor(counts.fast / 2) : 0 }, speed);
    },
    take(host: string, speed: ReceiverSpeed): void {
      taken(host)[speed] += 1;
    },
  };
}

const SPEEDS: readonly ReceiverSpeed[] = ['fast', 'unknown', 'slow'];

interface EndpointQueue extends QueuePlan {
  host: string;
  speed: ReceiverSpeed;
  most: number;
  taken: number;
}

function toEndpointQueues(due: readonly DueQueueRow[], load: DispatchLoad, speeds: SpeedLoad): EndpointQueue[] {
  // A queue whose rate is used up gets no slot. Otherwise it would take slots from later queues.
  const queues = due
    .filter((row) => row.wait_ms === 0)
    .map((row) => {
      const speed = speeds.of(row.endpoint_id);
      return {
        appId: row.app_id,
        endpointId: row.endpoint_id,
        host: hostOf(row.url ?? ''),
        ratePerSecond: row.rate_per_second,
        speed,
        most: speeds.slotsOf(row.endpoint_id),
        taken: load.ofEndpoint(row.endpoint_id),
        slots: 0,
      };
    });
  return queues.sort((a, b) => a.taken - b.taken || SPEEDS.indexOf(a.speed) - SPEEDS.indexOf(b.speed));
}

/** Returns the free slots of a worker. */
export const freeSlots = ({ total }: DispatchLoad, { notFast }: SpeedLoad, maxInFlight: number): number =>
  countFreeSlots(maxInFlight, total, notFast);

/** Returns whether the endpoint is fast and takes no slot of the half that its app and the worker keep for others. */
export function leavesHalf(
  load: DispatchLoad,
  { app_id, endpoint_id }: Pick<DueQueueRow, 'app_id' | 'endpoint_id'>,
  maxInFlight: number,
): boolean {
  const { of, notFast, notFastOfApp } = load.speeds();
  const isFree = (limit: number, all: number, slow: number): boolean => all - slow < halfOf(limit);
  return (
    of(endpoint_id) === 'fast' &&
    isFree(maxInFlight, load.total, notFast) &&
    isFree(MAX_PER_APP, load.ofApp(app_id), notFastOfApp(app_id))
  );
}

export function planQueues(due: readonly DueQueueRow[], load: DispatchLoad, maxInFlight: number): QueuePlan[] {
  const speeds = load.speeds();
  const queues = toEndpointQueues(due, load, speeds);
  const apps = createAppUsage(load, speeds);
  const hosts = createHostUsage(speeds.ofHost);
  let free = freeSlots(load, speeds, maxInFlight);
  let freeForSlow = halfOf(maxInFlight) - speeds.notFast;
  /**
   * Assigns one slot to the queue. Returns false if the queue gets no slot in later rounds either: an assignment never
   * frees a slot.
   */
  function deal(queue: EndpointQueue): boolean {
    const { appId, host, speed } = queue;
    if (queue.taken + queue.slots >= queue.most || !apps.hasSlot(appId, speed) || !hosts.hasSlot(host, speed))
      return false;
    if (speed !== 'fast' && freeForSlow <= 0) return false;
    queue.slots += 1;
    free -= 1;
    apps.take(appId, speed);
    hosts.take(host, speed);
    if (speed !== 'fast') freeForSlow -= 1;
    return true;
  }
  let open = queues;
  for (let round = 1; open.length > 0 && free > 0; round += 1) {
    // Round n brings each queue to n slots, so an empty queue catches up before a busy one gets more.
    open = open.filter((queue) => free > 0 && (queue.taken + queue.slots >= round || deal(queue)));
  }
  return queues
    .filter((queue) => queue.slots > 0)
    .map(({ appId, endpointId, slots, ratePerSecond }) => ({ appId, endpointId, slots, ratePerSecond }));
}

/** Returns the milliseconds until the first used-up rate allows an attempt again; undefined if no rate is used up. */
export function msUntilRateAllows(due: readonly DueQueueRow[]): number | undefined {
  const waitsMs = due.flatMap(({ wait_ms }) => (wait_ms > 0 ? [wait_ms] : []));
  return waitsMs.length === 0 ? undefined : Math.min(...waitsMs);
}
