// Finds the queues with due deliveries. With long backlogs a search costs more than a claim, so its result serves
// several rounds. A wake-up names the endpoints of new deliveries: queues that are known by then need no search.

import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../../kit/db/db.ts';
import { monotonicMs } from '../../../kit/flow/clock.ts';
import { listDueQueues } from './claim-store.ts';
import { type DueQueueRow, msUntilRateAllows, type QueuePlan } from './queue-plan.ts';

const MAX_QUEUES = 1_000;
const FIRST_QUEUE_ID = '00000000-0000-0000-0000-000000000000';
/** Minimum interval in milliseconds between searches for a high rate, so that each finds several free tokens. */
const PACE_AT_LEAST_MS = 20;
/**
 * The result of a search is used for this multiple of its duration, unless a wake-up comes. So a worker spends at most
 * a twentieth of its time on searches. Deliveries that become due by the clock alone are delayed by at most half a
 * second.
 */
const SERVE_FACTOR = 20;
const SERVE_AT_LEAST_MS = 100;
const SERVE_AT_MOST_MS = 500;
/** Number of queues without a rate that are remembered for wake-ups. */
const MAX_KNOWN_QUEUES = 10_000;

/** The result of a round. */
interface ClaimRoundResult {
  claims: readonly {
    row: { app_id: string; endpoint_id: string; url: string | null; rate_per_second: number | null };
  }[];
  refused: ReadonlyMap<string, number>;
  isRateNew: boolean;
}

interface QueueSearchResult {
  due: readonly DueQueueRow[];
  /** True if an earlier round searched for these queues. */
  isOld: boolean;
  /** True if these are only queues that wake-ups named. */
  isNamed: boolean;
  /**
   * True if another round must follow. Each round sees one page: true after the last of several pages, and after a
   * search was put off.
   */
  mustSearchAgain: boolean;
}

interface QueueFinder {
  find(): Promise<QueueSearchResult>;
  /** Reports that deliveries may be due that the last search did not see. */
  forget(): void;
  /** Reports due deliveries of these endpoints. A search follows if one of them is unknown or has a rate. */
  add(endpointIds: Iterable<string>): void;
  /** Returns whether a named queue has, or may have, more due deliveries. */
  hasNamed(): boolean;
  note(queues: readonly QueuePlan[], taken: ClaimRoundResult): void;
  /** Returns whether no found queue is left. */
  isExhausted(): boolean;
}

/**
 * Returns the planned endpoint queues from which fewer deliveries were claimed than slots were free. The other
 * deliveries are not due, or another worker has them.
 */
function findDrainedQueues(queues: readonly QueuePlan[], { claims, refused }: ClaimRoundResult): QueuePlan[] {
  const counts = new Map(refused);
  for (const { row } of claims) counts.set(row.endpoint_id, (counts.get(row.endpoint_id) ?? 0) + 1);
  return queues.filter(({ endpointId, slots }) => (counts.get(endpointId) ?? 0) < slots);
}

/**
 * Remembers queues without a rate that searches and claims returned, and forgets the oldest. A claim verifies that they
 * have none.
 */
function createKnownQueues() {
  const queues = new LRUCache<string, DueQueueRow>({ max: MAX_KNOWN_QUEUES });
  return {
    get: (endpointId: string) => queues.peek(endpointId),
    note({ app_id, endpoint_id, url, rate_per_second }: Omit<DueQueueRow, 'wait_ms'>): void {
      if (rate_per_second !== null) queues.delete(endpoint_id);
      else queues.set(endpoint_id, { app_id, endpoint_id, url, rate_per_second, wait_ms: 0 });
    },
  };
}

/** Creates a finder. `wake` starts another round. */
export function createQueueFinder(db: Queryable, wake: () => void): QueueFinder {
  const known = createKnownQueues();
  /** Queues that were named since the last round, or that it left over. */
  let named = new Map<string, DueQueueRow>();
  /** The named queues of the current round. */
  let taking = new Map<string, DueQueueRow>();
  /** The endpoint id after which the next search begins. */
  let next = FIRST_QUEUE_ID;
  let serving: readonly DueQueueRow[] = [];
  let servesUntilMs = 0;
  /** Increases with each search and each event that only a search can answer. */
  let generation = 0;
  /** The value of `generation` at the last complete search. */
  let searched = -1;
  let searchByMs = 0;
  /**
   * True if named queues were served before a search that other backlogs need. A search may be put off only once, or
   * continuous wake-ups would starve it.
   */
  let hasPutOff = false;
  let pacing: NodeJS.Timeout | undefined;
  let searching: NodeJS.Timeout | undefined;

  function forget(): void {
    serving = [];
    generation += 1;
  }

  function add(endpointIds: Iterable<string>): void {
    for (const endpointId of endpointIds) {
      const queue = known.get(endpointId);
      if (queue) named.set(endpointId, queue);
      else forget();
    }
  }

  function wakeIn(waitMs: number | undefined): void {
    clearTimeout(pacing);
    const searchAgain = (): void => {
      forget();
      wake();
    };
    pacing = waitMs === undefined ? undefined : setTimeout(searchAgain, Math.max(waitMs, PACE_AT_LEAST_MS)).unref();
  }

  /** Continuous wake-ups must not delay the search for deliveries that become due by the clock. */
  function wakeToSearch(waitMs: number): void {
    searching ??= setTimeout(() => {
      searching = undefined;
      wake();
    }, waitMs).unref();
  }

  /** Returns the queues that need no search; undefined if a search is due. */
  function withoutSearch(askedMs: number): QueueSearchResult | undefined {
    const isOld = serving.length > 0 && askedMs < servesUntilMs;
    const isPutOff = serving.length > 0 && !isOld;
    const isNamed =
      !isOld && named.size > 0 && generation === searched && askedMs < searchByMs && !(isPutOff && hasPutOff);
    if (!isOld && !isNamed) return undefined;
    if (isNamed) wakeToSearch(searchByMs - askedMs);
    if (isPutOff) hasPutOff = true;
    return { due: isOld ? serving : [], isOld, isNamed, mustSearchAgain: isPutOff };
  }

  async function search(askedMs: number): Promise<QueueSearchResult> {
    clearTimeout(searching);
    searching = undefined;
    hasPutOff = false;
    forget();
    const started = generation;
    const isFirstPage = next === FIRST_QUEUE_ID;
    const due = await listDueQueues(db, next, MAX_QUEUES);
    for (const queue of due) known.note(queue);
    const isLastPage = due.length < MAX_QUEUES;
    next = (isLastPage ? undefined : due.at(-1)?.endpoint_id) ?? FIRST_QUEUE_ID;
    wakeIn(msUntilRateAllows(due));
    // A wake-up during the search may concern deliveries that the search did not see.
    if (isFirstPage && isLastPage && started === generation) {
      serving = due;
      searched = started;
      searchByMs = askedMs + SERVE_AT_MOST_MS;
      const tookMs = monotonicMs() - askedMs;
      servesUntilMs = askedMs + Math.min(Math.max(tookMs * SERVE_FACTOR, SERVE_AT_LEAST_MS), SERVE_AT_MOST_MS);
    }
    return { due, isOld: false, isNamed: false, mustSearchAgain: isLastPage && !isFirstPage };
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
    note(queues, taken) {
      for (const { row } of taken.claims) known.note(row);
      const emptied = findDrainedQueues(queues, taken);
      const ids = new Set(emptied.map(({ endpointId }) => endpointId));
      for (const [endpointId, queue] of taking) {
        if (!ids.has(endpointId) && !named.has(endpointId)) named.set(endpointId, queue);
      }
      taking.clear();
      // Only a search returns when a used-up rate allows an attempt again.
      const isPaced = emptied.some(({ ratePerSecond }) => ratePerSecond !== null);
      serving = isPaced ? [] : serving.filter(({ endpoint_id }) => !ids.has(endpoint_id));
      if (taken.isRateNew) forget();
    },
    isExhausted: () => serving.length === 0,
  };
}
