// Runs rounds of claims: finds the due lanes, deals the places, claims, and starts the attempts.
import { monotonicMs } from '../../kit/flow/clock.ts';
import { type AttemptTools, attempt } from './attempt.ts';
import { type Claim, claimDeliveries } from './claim-deliveries.ts';
import { createLaneFinder } from './find-lanes.ts';
import type { Flights } from './flights.ts';
import { freeOf, hostOf, planLanes } from './lanes.ts';
import { createLooks } from './looks.ts';
import type { Membership } from './membership.ts';
import type { Incarnation } from './permits.ts';
import { type RecoverTools, recover } from './recover.ts';

/**
 * Limit of unrecorded attempts, as a multiple of the limit in flight: other attempts are sent while rows are written.
 */
const UNRECORDED_FACTOR = 2;

export interface ClaimerParts extends RecoverTools {
  flights: Flights;
  membership: Membership;
  tools: AttemptTools;
  maxInFlight: number;
  /** Requests another round soon. */
  wake(): void;
}

export interface Claimer {
  /** Runs one round. */
  claim(): Promise<void>;
  /** Makes the next round search, because any lane may have due deliveries. */
  forgetLanes(): void;
  /** Reports due deliveries of these endpoints. The next round claims them without a search if it can. */
  addLanes(endpointIds: Iterable<string>): void;
  /** Returns whether a round would claim: the lease holds and a place is free. */
  mayClaim(): boolean;
  /** Returns whether a claim may have been committed whose attempts are not yet in `flights`. */
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
    const wakeIfBehind = (): void => (isBehind ? wake() : undefined);
    flight.whenSlow = wakeIfBehind;
    flight.onOffWire(wakeIfBehind);
    void attempt(claim, flight, tools).then(() => {
      flights.remove(flight);
      // The end of an ordered delivery releases the next one of its subject.
      if (is_ordered) finder.add([endpoint_id]);
      if (isBehind || is_ordered) wake();
    });
  }

  /** Recovers a claim whose response was lost: its commit may have succeeded. */
  async function recoverUnsure({ workerId }: Incarnation): Promise<void> {
    if (!isUnsure) return;
    await recover({ db, log }, [], { workerId, deliveryIds: flights.deliveryIds(), forS: 0 });
    isUnsure = false;
  }

  /** Returns the registration under which this worker may claim now. */
  function leased(): Incarnation | undefined {
    const incarnation = membership.current();
    return incarnation !== undefined && monotonicMs() < incarnation.leaseUntilMs ? incarnation : undefined;
  }

  const isFull = (): boolean =>
    (flights.total >= maxInFlight && freeOf(flights, flights.speeds(), maxInFlight) <= 0) ||
    flights.unrecorded >= maxInFlight * UNRECORDED_FACTOR;

  async function claim(): Promise<void> {
    const incarnation = leased();
    if (incarnation === undefined) return;
    await recoverUnsure(incarnation);
    if (isFull()) {
      isBehind = true;
      return;
    }
    const { due, isOld, isNamed, mustLookAgain } = await finder.find();
    isBehind = due.length > 0;
    const lanes = looks.at(planLanes(due, flights, maxInFlight));
    isClaiming = true;
    isUnsure = true;
    try {
      const round = await claimDeliveries(db, incarnation, lanes);
      const { claims, refused } = round;
      isUnsure = false;
      finder.note(lanes, round);
      // If named lanes had no more due deliveries than the round took, no search is needed.
      if (isNamed) isBehind = finder.hasNamed() || mustLookAgain;
      looks.note(lanes, refused);
      for (const one of claims) begin(one);
      const hasTaken = claims.length + refused.size > 0;
      if ((hasTaken && isBehind) || round.isRateNew || mustLookAgain || (isOld && finder.isUsedUp())) wake();
    } catch (error) {
      finder.forget();
      throw error;
    } finally {
      isClaiming = false;
    }
  }

  return {
    claim,
    forgetLanes: finder.forget,
    addLanes: finder.add,
    mayClaim: () => leased() !== undefined && !isFull(),
    isClaiming: () => isClaiming,
  };
}
