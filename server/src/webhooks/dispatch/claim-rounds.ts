// Rounds of claims: which lanes are due, how much each may have, and what was claimed is on its way.
import { monotonicMs } from '../../kit/flow/clock.ts';
import { type AttemptTools, attempt } from './attempt.ts';
import { type Claim, claimDeliveries } from './claim-deliveries.ts';
import { createLaneFinder } from './find-lanes.ts';
import type { Flights } from './flights.ts';
import { hostOf, planLanes } from './lanes.ts';
import { createLooks } from './looks.ts';
import type { Membership } from './membership.ts';
import type { Incarnation } from './permits.ts';
import { type RecoverTools, recover } from './recover.ts';

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
  /** Something is due of which the lanes that were found may know nothing. */
  forgetLanes(): void;
  /** Whether a claim may have been made of which nothing is among the flights yet. */
  isClaiming(): boolean;
}

export function createClaimer({ db, log, flights, membership, tools, maxInFlight, wake }: ClaimerParts): Claimer {
  let isBehind = false;
  let isClaiming = false;
  let isUnsure = false;
  const looks = createLooks();
  const finder = createLaneFinder(db, wake);

  function begin(claim: Claim): void {
    const { delivery_id, endpoint_id, url, is_ordered } = claim.row;
    const { ticket } = claim;
    const flight = flights.add({ deliveryId: delivery_id, endpointId: endpoint_id, host: hostOf(url), ticket });
    flight.onOffWire(() => (isBehind ? wake() : undefined));
    void attempt(claim, flight, tools).then(() => {
      flights.remove(flight);
      // The end of one that is in order lets the next of its subject go.
      if (is_ordered) finder.forget();
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
    const { due, isOld, mustLookAgain } = await finder.find();
    isBehind = due.length > 0;
    const lanes = looks.at(planLanes(due, flights, maxInFlight));
    isClaiming = true;
    isUnsure = true;
    try {
      const round = await claimDeliveries(db, incarnation, lanes);
      const { claims, refused } = round;
      isUnsure = false;
      finder.note(lanes, round);
      looks.note(lanes, refused);
      for (const one of claims) begin(one);
      if (claims.length + refused.size > 0 || mustLookAgain || (isOld && finder.isUsedUp())) wake();
    } finally {
      isClaiming = false;
    }
  }

  return { claim, forgetLanes: finder.forget, isClaiming: () => isClaiming };
}
