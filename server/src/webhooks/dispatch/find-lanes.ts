// Finds the lanes that have something due. Among long backlogs a search costs more than a claim, so its result serves a few rounds.
// A wake-up names the endpoints of new deliveries: a lane that is known by then is claimed from without a search.

import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../kit/db/db.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { listDueLanes } from './dispatch-store.ts';
import { type DueLaneRow, type LanePlan, nextRoomInMs } from './lanes.ts';

const MAX_LANES = 1_000;
const BEFORE_ALL_LANES = '00000000-0000-0000-0000-000000000000';
/** A rate that has room every millisecond is not looked at every millisecond: it has gathered some more by then. */
const PACE_AT_LEAST_MS = 20;
/**
 * Unless somebody has a hint, so many times as long as the look took: it is never more than a twentieth of what a worker waits for. What
 * comes due by the clock alone is so much later, half a second at most.
 */
const SERVE_FACTOR = 20;
const SERVE_AT_LEAST_MS = 100;
const SERVE_AT_MOST_MS = 500;
/** Lanes without a rate that are remembered for wake-ups. */
const MOST_KNOWN = 10_000;

/** What a round came to. */
export interface Taken {
  claims: readonly {
    row: { app_id: string; endpoint_id: string; url: string | null; rate_per_second: number | null };
  }[];
  refused: ReadonlyMap<string, number>;
  isRateNew: boolean;
}

interface Found {
  due: readonly DueLaneRow[];
  /** They were found for a round before. */
  isOld: boolean;
  /** They are lanes that wake-ups named, and no others. */
  isNamed: boolean;
  /** Of more than a page each round sees another, and this was the last. */
  mustLookAgain: boolean;
}

export interface LaneFinder {
  find(): Promise<Found>;
  /** Something may be due of which what was found knows nothing. */
  forget(): void;
  /** Deliveries of these endpoints are due. A search follows where one of them is not known or has a rate. */
  add(endpointIds: Iterable<string>): void;
  /** Whether a named lane has, or may have, more that is due. */
  hasNamed(): boolean;
  note(lanes: readonly LanePlan[], taken: Taken): void;
  /** Nothing is left of what was found. */
  isUsedUp(): boolean;
}

/** The planned lanes of which fewer were taken than they had room for: nothing of them is due any more, or another worker has it. */
function emptiedOf(lanes: readonly LanePlan[], { claims, refused }: Taken): LanePlan[] {
  const counts = new Map(refused);
  for (const { row } of claims) counts.set(row.endpoint_id, (counts.get(row.endpoint_id) ?? 0) + 1);
  return lanes.filter(({ endpointId, room }) => (counts.get(endpointId) ?? 0) < room);
}

/** The lanes without a rate that searches and claims have shown, the oldest forgotten. A claim checks that they still have none. */
function createKnownLanes() {
  const lanes = new LRUCache<string, DueLaneRow>({ max: MOST_KNOWN });
  return {
    get: (endpointId: string) => lanes.peek(endpointId),
    note({ app_id, endpoint_id, url, rate_per_second }: Omit<DueLaneRow, 'wait_ms'>): void {
      if (rate_per_second !== null) lanes.delete(endpoint_id);
      else lanes.set(endpoint_id, { app_id, endpoint_id, url, rate_per_second, wait_ms: 0 });
    },
  };
}

/** `wake` asks for another round. */
export function createLaneFinder(db: Queryable, wake: () => void): LaneFinder {
  const known = createKnownLanes();
  /** Named since the last round, or left over by it. */
  let named = new Map<string, DueLaneRow>();
  /** The named lanes of the current round. */
  let taking = new Map<string, DueLaneRow>();
  /** Where the next look begins, in the order of endpoints. */
  let next = BEFORE_ALL_LANES;
  let serving: readonly DueLaneRow[] = [];
  let servesUntilMs = 0;
  let looks = 0;
  /** The count of looks that the last whole search answered. */
  let searched = -1;
  let searchByMs = 0;
  /** Named lanes went before a search that other backlogs need: once, or it would wait for as long as wake-ups come. */
  let hasPutOff = false;
  let pacing: NodeJS.Timeout | undefined;
  let searching: NodeJS.Timeout | undefined;

  function forget(): void {
    serving = [];
    looks += 1;
  }

  function add(endpointIds: Iterable<string>): void {
    for (const endpointId of endpointIds) {
      const lane = known.get(endpointId);
      if (lane) named.set(endpointId, lane);
      else forget();
    }
  }

  function wakeIn(waitMs: number | undefined): void {
    clearTimeout(pacing);
    const look = (): void => {
      forget();
      wake();
    };
    pacing = waitMs === undefined ? undefined : setTimeout(look, Math.max(waitMs, PACE_AT_LEAST_MS)).unref();
  }

  /** Wake-ups that keep coming must not put off the search for deliveries that come due by the clock. */
  function wakeToSearch(waitMs: number): void {
    searching ??= setTimeout(() => {
      searching = undefined;
      wake();
    }, waitMs).unref();
  }

  /** The lanes that need no search; undefined when one is due. */
  function withoutSearch(askedMs: number): Found | undefined {
    const isOld = serving.length > 0 && askedMs < servesUntilMs;
    const isPutOff = serving.length > 0 && !isOld;
    const isNamed = !isOld && named.size > 0 && looks === searched && askedMs < searchByMs && !(isPutOff && hasPutOff);
    if (!isOld && !isNamed) return undefined;
    if (isNamed) wakeToSearch(searchByMs - askedMs);
    if (isPutOff) hasPutOff = true;
    return { due: isOld ? serving : [], isOld, isNamed, mustLookAgain: isPutOff };
  }

  async function search(askedMs: number): Promise<Found> {
    clearTimeout(searching);
    searching = undefined;
    hasPutOff = false;
    forget();
    const look = looks;
    const isFirstPage = next === BEFORE_ALL_LANES;
    const due = await listDueLanes(db, next, MAX_LANES);
    for (const lane of due) known.note(lane);
    const isLastPage = due.length < MAX_LANES;
    next = (isLastPage ? undefined : due.at(-1)?.endpoint_id) ?? BEFORE_ALL_LANES;
    wakeIn(nextRoomInMs(due));
    // A hint that came meanwhile may be of what this look did not see.
    if (isFirstPage && isLastPage && look === looks) {
      serving = due;
      searched = look;
      searchByMs = askedMs + SERVE_AT_MOST_MS;
      const tookMs = monotonicMs() - askedMs;
      servesUntilMs = askedMs + Math.min(Math.max(tookMs * SERVE_FACTOR, SERVE_AT_LEAST_MS), SERVE_AT_MOST_MS);
    }
    return { due, isOld: false, isNamed: false, mustLookAgain: isLastPage && !isFirstPage };
  }

  return {
    find: async () => {
      const askedMs = monotonicMs();
      const found = withoutSearch(askedMs) ?? (await search(askedMs));
      for (const { endpoint_id } of found.due) named.delete(endpoint_id);
      taking = named;
      named = new Map();
      return { ...found, due: [...found.due, ...taking.values()] };
    },
    forget,
    add,
    hasNamed: () => named.size > 0,
    note(lanes, taken) {
      for (const { row } of taken.claims) known.note(row);
      const emptied = emptiedOf(lanes, taken);
      const ids = new Set(emptied.map(({ endpointId }) => endpointId));
      for (const [endpointId, lane] of taking) {
        if (!ids.has(endpointId) && !named.has(endpointId)) named.set(endpointId, lane);
      }
      taking.clear();
      // Only a search tells until when a rate that is used up has no room.
      const isPaced = emptied.some(({ ratePerSecond }) => ratePerSecond !== null);
      serving = isPaced ? [] : serving.filter(({ endpoint_id }) => !ids.has(endpoint_id));
      if (taken.isRateNew) forget();
    },
    isUsedUp: () => serving.length === 0,
  };
}
