// Runs rounds of claims: finds the due endpoint queues, assigns slots, claims, and starts the attempts.
import { monotonicMs } from '../../../kit/flow/clock.ts';
import { type AttemptTools, runAttempt } from '../attempt/attempt.ts';
import { claimDeliveries, type DeliveryClaim } from './claim-deliveries.ts';
import { createExamineLimits } from './examine-limits.ts';
import { createQueueFinder } from './find-queues.ts';
import type { InFlightAttempts } from '../attempt/in-flight-attempts.ts';
import type { WorkerRegistration } from '../workers/pre-send-check.ts';
import { freeSlots, hostOf, planQueues } from './queue-plan.ts';
import { type RecoverTools, recoverInterrupted } from '../workers/recover-interrupted.ts';
import type { WorkerMembership } from '../workers/worker-membership.ts';

/**
 * Limit of unrecorded attempts, as a multiple of the limit in flight: other attempts are sent while rows are written.
 */
const UNRECORDED_FACTOR = 2;

export interface ClaimerParts extends RecoverTools {
  flights: InFlightAttempts;
  membership: WorkerMembership;
  tools: AttemptTools;
  maxInFlight: number;
  /** Requests another round soon. */
  wake(): void;
}

export interface Claimer {
  /** Runs one round. */
  claim(): Promise<void>;
  /** Makes the next round search, because any queue may have due deliveries. */
  forgetQueues(): void;
  /** Reports due deliveries of these endpoints. The next round claims them without a search if it can. */
  addQueues(endpointIds: Iterable<string>): void;
  /** Returns whether a round would claim: the lease holds and a slot is free. */
  mayClaim(): boolean;
  /** Returns whether a claim may have been committed whose attempts are not yet in `flights`. */
  isClaiming(): boolean;
}

export function createClaimer({ db, log, flights, membership, tools, maxInFlight, wake }: ClaimerParts): Claimer {
  let isBehind = false;
  let isClaiming = false;
  let isUnsure = false;
  const looks = createExamineLimits();
  const finder = createQueueFinder(db, wake);

  function begin(claim: DeliveryClaim): void {
    const { delivery_id, endpoint_id, url, is_ordered } = claim.row;
    const { token: claimToken } = claim;
    const attempt = flights.add({
      deliveryId: delivery_id,
      endpointId: endpoint_id,
      host: hostOf(url),
      claimToken,
    });
    const wakeIfBehind = (): void => (isBehind ? wake() : undefined);
    attempt.slowListener = wakeIfBehind;
    attempt.onOffWire(wakeIfBehind);
    void runAttempt(claim, attempt, tools).then(() => {
      flights.remove(attempt);
      // The end of an ordered delivery releases the next one of its subject.
      if (is_ordered) finder.add([endpoint_id]);
      if (isBehind || is_ordered) wake();
    });
  }

  /** Recovers a claim whose response was lost: its commit may have succeeded. */
  async function recoverUnsure({ workerId }: WorkerRegistration): Promise<void> {
    if (!isUnsure) return;
    await recoverInterrupted({ db, log }, [], { workerId, deliveryIds: flights.deliveryIds(), forS: 0 });
    isUnsure = false;
  }

  /** Returns the registration under which this worker may claim now. */
  function leased(): WorkerRegistration | undefined {
    const registration = membership.current();
    return registration !== undefined && monotonicMs() < registration.leaseUntilMs ? registration : undefined;
  }

  const isFull = (): boolean =>
    (flights.total >= maxInFlight && freeSlots(flights, flights.speeds(), maxInFlight) <= 0) ||
    flights.unrecorded >= maxInFlight * UNRECORDED_FACTOR;

  async function claim(): Promise<void> {
    const registration = leased();
    if (registration === undefined) return;
    await recoverUnsure(registration);
    if (isFull()) {
      isBehind = true;
      return;
    }
    const { due, isOld, isNamed, mustSearchAgain } = await finder.find();
    isBehind = due.length > 0;
    const queues = looks.at(planQueues(due, flights, maxInFlight));
    isClaiming = true;
    isUnsure = true;
    try {
      const round = await claimDeliveries(db, registration, queues);
      const { claims, refused } = round;
      isUnsure = false;
      finder.note(queues, round);
      // If named queues had no more due deliveries than the round took, no search is needed.
      if (isNamed) isBehind = finder.hasNamed() || mustSearchAgain;
      looks.note(queues, refused);
      for (const one of claims) begin(one);
      const hasTaken = claims.length + refused.size > 0;
      if ((hasTaken && isBehind) || round.isRateNew || mustSearchAgain || (isOld && finder.isExhausted())) wake();
    } catch (error) {
      finder.forget();
      throw error;
    } finally {
      isClaiming = false;
    }
  }

  return {
    claim,
    forgetQueues: finder.forget,
    addQueues: finder.add,
    mayClaim: () => leased() !== undefined && !isFull(),
    isClaiming: () => isClaiming,
  };
}
