// Which lanes have something due. Among long backlogs to look for them costs more than to claim from them, so what was found
// serves a few rounds.

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

/** What a round came to. */
export interface Taken {
  claims: readonly { row: { endpoint_id: string } }[];
  refused: ReadonlyMap<string, number>;
}

interface Found {
  due: readonly DueLaneRow[];
  /** They were found for a round before. */
  isOld: boolean;
  /** Of more than a page each round sees another, and this was the last. */
  mustLookAgain: boolean;
}

export interface LaneFinder {
  find(): Promise<Found>;
  /** Something may be due of which what was found knows nothing. */
  forget(): void;
  note(lanes: readonly LanePlan[], taken: Taken): void;
  /** Nothing is left of what was found. */
  isUsedUp(): boolean;
}

/**
 * Without the lanes that had less than they were dealt: nothing of them is due any more, or another worker has it. None at all when
 * the rate of one is used up: until when, only a new look tells.
 */
function withoutEmptied(
  due: readonly DueLaneRow[],
  lanes: readonly LanePlan[],
  { claims, refused }: Taken,
): readonly DueLaneRow[] {
  const counts = new Map(refused);
  for (const { row } of claims) counts.set(row.endpoint_id, (counts.get(row.endpoint_id) ?? 0) + 1);
  const emptied = lanes.filter(({ endpointId, room }) => (counts.get(endpointId) ?? 0) < room);
  if (emptied.some(({ ratePerSecond }) => ratePerSecond !== null)) return [];
  const ids = new Set(emptied.map(({ endpointId }) => endpointId));
  return due.filter(({ endpoint_id }) => !ids.has(endpoint_id));
}

/** `wake` asks for another round. */
export function createLaneFinder(db: Queryable, wake: () => void): LaneFinder {
  /** Where the next look begins, in the order of endpoints. */
  let next = BEFORE_ALL_LANES;
  let serving: readonly DueLaneRow[] = [];
  let servesUntilMs = 0;
  let looks = 0;
  let pacing: NodeJS.Timeout | undefined;

  function forget(): void {
    serving = [];
    looks += 1;
  }

  function wakeIn(waitMs: number | undefined): void {
    clearTimeout(pacing);
    const look = (): void => {
      forget();
      wake();
    };
    pacing = waitMs === undefined ? undefined : setTimeout(look, Math.max(waitMs, PACE_AT_LEAST_MS)).unref();
  }

  async function find(): Promise<Found> {
    const askedMs = monotonicMs();
    if (serving.length > 0 && askedMs < servesUntilMs) return { due: serving, isOld: true, mustLookAgain: false };
    forget();
    const look = looks;
    const isFirstPage = next === BEFORE_ALL_LANES;
    const due = await listDueLanes(db, next, MAX_LANES);
    const isLastPage = due.length < MAX_LANES;
    next = (isLastPage ? undefined : due.at(-1)?.endpoint_id) ?? BEFORE_ALL_LANES;
    wakeIn(nextRoomInMs(due));
    // A hint that came meanwhile may be of what this look did not see.
    if (isFirstPage && isLastPage && look === looks) {
      serving = due;
      const tookMs = monotonicMs() - askedMs;
      servesUntilMs = askedMs + Math.min(Math.max(tookMs * SERVE_FACTOR, SERVE_AT_LEAST_MS), SERVE_AT_MOST_MS);
    }
    return { due, isOld: false, mustLookAgain: isLastPage && !isFirstPage };
  }

  return {
    find,
    forget,
    note(lanes, taken) {
      serving = withoutEmptied(serving, lanes, taken);
    },
    isUsedUp: () => serving.length === 0,
  };
}
