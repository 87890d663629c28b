// Rounds of claims: which lanes are due, how much each may have, and what was claimed is on its way.
import { monotonicMs } from '../../kit/clock.ts';
import { type AttemptTools, attempt } from './attempt.ts';
import { type Claim, claimDeliveries, type JudgedLane } from './claim-deliveries.ts';
import { listDueLanes } from './dispatch-store.ts';
import type { Flights } from './flights.ts';
import { hostOf, type LanePlan, nextRoomInMs, planLanes } from './lanes.ts';
import type { Membership } from './membership.ts';
import type { Incarnation } from './permits.ts';
import { type RecoverTools, recover } from './recover.ts';

const MAX_LANES = 1_000;
const BEFORE_ALL_LANES = '00000000-0000-0000-0000-000000000000';
/** A rate that has room every millisecond is not looked at every millisecond: it has gathered some more by then. */
const PACE_AT_LEAST_MS = 20;

/** So many times what may be on the wire may be unrecorded: while rows are written, others are sent. */
const UNRECORDED_FACTOR = 2;

export interface ClaimerParts extends RecoverTools {
  flights: Flights;
  membership: Membership;
  tools: AttemptTools;
  maxInFlight: number;
  /** Asks for another round, soon. */
  wake(): void;
}

export interface Claimer {
  /** One round. */
  claim(): Promise<void>;
  /** Whether a claim may have been made of which nothing is among the flights yet. */
  isClaiming(): boolean;
}

/** How many of a lane are judged at most, where what was judged before was all refused: a backlog that nobody will send. */
const LOOK_AT_MOST = 500;
const LOOK_GROWS = 8;

/** How far to look into each lane. What is not allowed there must not keep waiting what comes after it. */
function createLooks() {
  const looks = new Map<string, number>();
  return {
    at: (lanes: readonly LanePlan[]): JudgedLane[] =>
      lanes.map((lane) => ({ ...lane, look: Math.max(lane.room, looks.get(lane.endpointId) ?? 0) })),
    note(lanes: readonly JudgedLane[], refused: ReadonlyMap<string, number>): void {
      for (const { endpointId, look } of lanes) {
        if ((refused.get(endpointId) ?? 0) < look) looks.delete(endpointId);
        else looks.set(endpointId, Math.min(look * LOOK_GROWS, LOOK_AT_MOST));
      }
    },
  };
}

/** `next` is where the next round begins to look, in the order of endpoints. */
export function createClaimer({ db, log, flights, membership, tools, maxInFlight, wake }: ClaimerParts): Claimer {
  let next = BEFORE_ALL_LANES;
  let isBehind = false;
  let isClaiming = false;
  let isUnsure = false;
  const looks = createLooks();
  let pacing: NodeJS.Timeout | undefined;

  function wakeIn(waitMs: number | undefined): void {
    clearTimeout(pacing);
    pacing = waitMs === undefined ? undefined : setTimeout(wake, Math.max(waitMs, PACE_AT_LEAST_MS)).unref();
  }

  function begin(claim: Claim): void {
    const { delivery_id, endpoint_id, url, is_ordered } = claim.row;
    const ids = { deliveryId: delivery_id, endpointId: endpoint_id, host: hostOf(url) };
    const flight = flights.add({ ...ids, ticket: claim.ticket });
    void flight.offWire.then(() => (isBehind ? wake() : undefined));
    void attempt(claim, flight, tools).finally(() => {
      flights.remove(flight);
      // The end of one that is in order lets the next of its subject go.
      if (isBehind || is_ordered) wake();
    });
  }

  /** The commit of a claim that failed may have been made all the same: only its answer did not arrive. */
  async function recoverUnsure({ workerId }: Incarnation): Promise<void> {
    if (!isUnsure) return;
    await recover({ db, log }, [], { workerId, deliveryIds: flights.deliveryIds(), forS: 0 });
    isUnsure = false;
  }

  async function claim(): Promise<void> {
    const incarnation = membership.current();
    if (incarnation === undefined || monotonicMs() >= incarnation.leaseUntilMs) return;
    await recoverUnsure(incarnation);
    if (flights.total >= maxInFlight || flights.unrecorded >= maxInFlight * UNRECORDED_FACTOR) return;
    const due = await listDueLanes(db, next, MAX_LANES);
    const isWrapped = due.length < MAX_LANES;
    const mustLookAgain = isWrapped && next !== BEFORE_ALL_LANES;
    next = (isWrapped ? undefined : due.at(-1)?.endpoint_id) ?? BEFORE_ALL_LANES;
    isBehind = due.length > 0;
    wakeIn(nextRoomInMs(due));
    const lanes = looks.at(planLanes(due, flights, maxInFlight));
    isClaiming = true;
    isUnsure = true;
    try {
      const { claims, refused } = await claimDeliveries(db, incarnation, lanes);
      isUnsure = false;
      looks.note(lanes, refused);
      for (const one of claims) begin(one);
      if (claims.length + refused.size > 0 || mustLookAgain) wake();
    } finally {
      isClaiming = false;
    }
  }

  return { claim, isClaiming: () => isClaiming };
}
