// A round of claims: finds the due endpoint queues, assigns slots, locks due deliveries, judges their current
// authority, marks the allowed ones as in flight, and starts their attempts. The claim is one short transaction, which
// ends before anything is sent.

import { LRUCache } from 'lru-cache';
import type { Database, Queryable } from '../../../kit/db/db.ts';
import { monotonicMs } from '../../../kit/flow/clock.ts';
import { authoriseDelivery, type HandOff } from '../../webhooks/index.ts';
import { type AttemptTools, runAttempt } from '../attempt/attempt.ts';
import type { InFlightAttempt, InFlightAttempts } from '../attempt/in-flight-attempts.ts';
import { CLAIM_LIFETIME_MS, type ClaimToken, type WorkerRegistration } from '../workers/pre-send-check.ts';
import { type RecoverTools, recoverInterrupted, type WorkerMembership } from '../workers/worker-membership.ts';
import {
  applyDecisions,
  type CandidateRow,
  type ClaimDecisionRow,
  type ClaimedDeliveryRow,
  type DeliveryClaim,
  lockDueDeliveries,
  lockRates,
  shareClaimLocks,
  spendTokens,
} from './claim-store.ts';
import { createQueueFinder } from './find-queues.ts';
import { type Backlog, createHandOff } from './hand-off.ts';
import { type DueQueueRow, freeSlots, hostOf, planQueues, type QueuePlan } from './queue-plan.ts';

/**
 * An endpoint queue, and the number of its deliveries whose access is checked. If refusals are expected, that number is
 * larger than the number of free slots.
 */
type QueueClaimPlan = QueuePlan & { examineLimit: number };

interface ClaimedDelivery extends DeliveryClaim {
  row: ClaimedDeliveryRow;
}

interface ClaimRound {
  claims: ClaimedDelivery[];
  /**
   * Number of cancelled and held deliveries per endpoint. These deliveries counted as examined but took no slot, so
   * more may be due immediately.
   */
  refused: ReadonlyMap<string, number>;
  /** True if an endpoint has a rate that its queue does not know. Its deliveries wait for a round that searches. */
  isRateNew: boolean;
}

/**
 * Attempts after which a delivery that is stopped or interrupted again and again is cancelled with `too_many_attempts`.
 * The schedule has ten attempts, but it does not limit attempts that Slipway itself breaks off. A number too large for
 * its column would fail the claim of all deliveries.
 */
const MAX_ATTEMPTS = 1_000;

type ClaimDecision = Pick<ClaimDecisionRow, 'verdict' | 'reason'>;

/** Judges a candidate. Endpoint and event may be deleted; every other rule is in `authoriseDelivery`. */
function authoriseCandidate(row: CandidateRow): ClaimDecision {
  if (row.is_endpoint_deleted) return { verdict: 'refuse', reason: 'endpoint_deleted' };
  if (row.body === null) return { verdict: 'refuse', reason: 'event_expired' };
  if (row.attempt_no > MAX_ATTEMPTS) return { verdict: 'refuse', reason: 'too_many_attempts' };
  if (row.is_of_earlier_grant) return { verdict: 'refuse', reason: 'installation_revoked' };
  if (row.is_of_earlier_resource_grant) return { verdict: 'refuse', reason: 'resource_scope_revoked' };
  if (row.is_of_lost_keys) return { verdict: 'refuse', reason: 'key_revoked' };
  const judgement = authoriseDelivery(row);
  if (judgement.verdict !== 'allow') return judgement;
  return row.is_filtered ? { verdict: 'refuse', reason: 'filtered' } : { verdict: 'allow', reason: null };
}

type TokenColumn = 'app_id' | 'key_id' | 'server_id' | 'endpoint_id' | 'epoch' | 'key_life_ms';

function toClaimToken(
  row: Pick<CandidateRow, TokenColumn>,
  registration: WorkerRegistration,
  askedMs: number,
): ClaimToken {
  return {
    appId: row.app_id,
    keyId: row.key_id,
    serverId: row.server_id,
    endpointId: row.endpoint_id,
    epoch: row.epoch,
    beginByMs: askedMs + Math.min(CLAIM_LIFETIME_MS, row.key_life_ms),
    registration,
  };
}

interface DecidedCandidate {
  row: CandidateRow;
  decision: ClaimDecision;
}

/** The other columns are null only with these: without the endpoint, or without the event and the delivery. */
const isComplete = (row: CandidateRow): row is ClaimedDeliveryRow => row.body !== null && row.url !== null;

/**
 * Drops allowed deliveries beyond the free slots of their queue. These deliveries stay queued as if the claim had not
 * examined them.
 */
function limitToSlots(decided: readonly DecidedCandidate[], queues: readonly QueuePlan[]): DecidedCandidate[] {
  const free = new Map(queues.map(({ endpointId, slots }) => [endpointId, slots]));
  return decided.filter(({ row, decision: { verdict } }) => {
    if (verdict !== 'allow') return true;
    const slots = free.get(row.endpoint_id) ?? 0;
    free.set(row.endpoint_id, slots - 1);
    return slots > 0;
  });
}

function countRefused(decided: readonly DecidedCandidate[]): Map<string, number> {
  const refused = new Map<string, number>();
  for (const { row, decision } of decided) {
    if (decision.verdict !== 'allow') refused.set(row.endpoint_id, (refused.get(row.endpoint_id) ?? 0) + 1);
  }
  return refused;
}

const hasRate = (queue: QueuePlan): boolean => queue.ratePerSecond !== null;

/** Limits the slots of each endpoint queue to its rate. Another claim takes the remaining deliveries. */
async function limitToRates(tx: Queryable, queues: readonly QueueClaimPlan[]): Promise<QueueClaimPlan[]> {
  const rated = queues.filter(hasRate);
  if (rated.length === 0) return [...queues];
  const allowances = new Map((await lockRates(tx, rated)).map(({ endpoint_id, allowed }) => [endpoint_id, allowed]));
  return queues.flatMap((queue) => {
    const slots = hasRate(queue) ? Math.min(queue.slots, allowances.get(queue.endpointId) ?? 0) : queue.slots;
    return slots > 0 ? [{ ...queue, slots }] : [];
  });
}

async function spendRates(
  tx: Queryable,
  queues: readonly QueuePlan[],
  claims: readonly DeliveryClaim[],
): Promise<void> {
  const begun = queues.filter(hasRate).flatMap(({ appId, endpointId }) => {
    const { length: count } = claims.filter(({ row }) => row.endpoint_id === endpointId);
    return count > 0 ? [{ appId, endpointId, count }] : [];
  });
  if (begun.length > 0) await spendTokens(tx, begun);
}

const NOTHING: ClaimRound = { claims: [], refused: new Map(), isRateNew: false };

/** Returns the endpoints that got a rate after their queue was found. */
function findNewlyRated(candidates: readonly CandidateRow[], queues: readonly QueuePlan[]): Set<string> {
  const unrated = new Set(queues.filter((queue) => !hasRate(queue)).map(({ endpointId }) => endpointId));
  return new Set(
    candidates.flatMap(({ endpoint_id, rate_per_second }) =>
      rate_per_second !== null && unrated.has(endpoint_id) ? [endpoint_id] : [],
    ),
  );
}

export async function claimDeliveries(
  db: Database,
  registration: WorkerRegistration,
  planned: readonly QueueClaimPlan[],
): Promise<ClaimRound> {
  if (planned.length === 0) return NOTHING;
  const askedMs = monotonicMs();
  return db.transaction(async (tx) => {
    const queues = await limitToRates(tx, planned);
    const appIds = new Set(queues.map(({ appId }) => appId));
    shareClaimLocks(tx, [...appIds]);
    const found = await lockDueDeliveries(tx, queues);
    const paced = findNewlyRated(found, queues);
    const candidates = paced.size === 0 ? found : found.filter(({ endpoint_id }) => !paced.has(endpoint_id));
    if (candidates.length === 0) return { ...NOTHING, isRateNew: paced.size > 0 };
    const decided = limitToSlots(
      candidates.map((row) => ({ row, decision: authoriseCandidate(row) })),
      queues,
    );
    applyDecisions(
      tx,
      registration.workerId,
      decided.map(({ row, decision: { verdict, reason } }) => {
        const { app_id, delivery_id, key_id, resource_scope } = row;
        return { app_id, delivery_id, key_id, verdict, reason, resource_scope };
      }),
    );
    const claims = decided.flatMap(({ row, decision: { verdict } }): ClaimedDelivery[] =>
      verdict === 'allow' && isComplete(row) ? [{ row, token: toClaimToken(row, registration, askedMs) }] : [],
    );
    await spendRates(tx, queues, claims);
    return { claims, refused: countRefused(decided), isRateNew: paced.size > 0 };
  });
}

/** Maximum number of deliveries of an endpoint that a claim judges, after claims that refused all that they judged. */
const MAX_EXAMINE_LIMIT = 500;
const EXAMINE_LIMIT_GROWTH = 8;
/**
 * Number of remembered endpoints. A forgotten endpoint begins with the smallest limit again. No claim reports the
 * deletion of an endpoint, so entries end only by this limit.
 */
const MAX_REMEMBERED = 10_000;

export function createExamineLimits(mostRemembered = MAX_REMEMBERED) {
  const limits = new LRUCache<string, number>({ max: mostRemembered });

  return {
    at: (queues: readonly QueuePlan[]): QueueClaimPlan[] =>
      queues.map((queue) => ({ ...queue, examineLimit: Math.max(queue.slots, limits.get(queue.endpointId) ?? 0) })),
    note(queues: readonly QueueClaimPlan[], refused: ReadonlyMap<string, number>): void {
      for (const { endpointId, examineLimit } of queues) {
        if ((refused.get(endpointId) ?? 0) < examineLimit) limits.delete(endpointId);
        else limits.set(endpointId, Math.min(examineLimit * EXAMINE_LIMIT_GROWTH, MAX_EXAMINE_LIMIT));
      }
    },
    /** Returns the number of remembered endpoints. */
    size: (): number => limits.size,
  };
}

/**
 * Limit of unrecorded attempts, as a multiple of the limit in flight: other attempts are sent while rows are written.
 */
const UNRECORDED_FACTOR = 2;

interface ClaimerParts extends RecoverTools {
  inFlight: InFlightAttempts;
  membership: WorkerMembership;
  tools: AttemptTools;
  maxInFlight: number;
  isStopping(): boolean;
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
  /** Returns whether a round would claim: the lease holds, a slot is free, and the worker does not shut down. */
  mayClaim(): boolean;
  /** Returns whether a claim may have been committed whose attempts are not yet in `inFlight`. */
  isClaiming(): boolean;
  readonly handOff: HandOff;
}

export function createClaimer({
  db,
  log,
  inFlight,
  membership,
  tools,
  maxInFlight,
  isStopping,
  wake,
}: ClaimerParts): Claimer {
  let backlog: Backlog = 'none';
  let isClaiming = false;
  let isUnsure = false;
  let isRecovering = false;
  const examineLimits = createExamineLimits();
  const finder = createQueueFinder(db, wake);

  function addAttempt(
    { delivery_id, url }: Pick<ClaimedDeliveryRow, 'delivery_id' | 'url'>,
    token: ClaimToken,
  ): InFlightAttempt {
    const attempt = inFlight.add({
      deliveryId: delivery_id,
      endpointId: token.endpointId,
      host: hostOf(url),
      claimToken: token,
    });
    const wakeIfBehind = (): void => (backlog !== 'none' ? wake() : undefined);
    attempt.slowListener = wakeIfBehind;
    attempt.onOffWire(wakeIfBehind);
    return attempt;
  }

  function begin(claim: DeliveryClaim, attempt: InFlightAttempt): void {
    const { endpoint_id, is_ordered } = claim.row;
    void runAttempt(claim, attempt, tools).then(() => {
      inFlight.remove(attempt);
      // The end of an ordered delivery releases the next one of its subject.
      if (is_ordered) finder.add([endpoint_id]);
      if (backlog !== 'none' || is_ordered) wake();
    });
  }

  /**
   * Recovers a claim or a hand-off whose response was lost: its commit may have succeeded. Meanwhile no slot is
   * reserved, because the statement knows only the attempts that are in flight when it is sent.
   */
  async function recoverUnsure({ workerId }: WorkerRegistration): Promise<void> {
    if (!isUnsure) return;
    isUnsure = false;
    isRecovering = true;
    try {
      await recoverInterrupted({ db, log }, [], { workerId, deliveryIds: inFlight.deliveryIds(), forS: 0 });
    } catch (error) {
      isUnsure = true;
      throw error;
    } finally {
      isRecovering = false;
    }
  }

  /** Returns the registration under which this worker may claim now. */
  function leased(): WorkerRegistration | undefined {
    const registration = membership.current();
    return registration !== undefined && monotonicMs() < registration.leaseUntilMs ? registration : undefined;
  }

  /** Returns the backlog of the found queues. Other queues may wait if the search is not complete. */
  function backlogOf(due: readonly DueQueueRow[], mustSearchAgain: boolean): Backlog {
    if (due.length === 0) return 'none';
    const { of } = inFlight.speeds();
    return mustSearchAgain || due.some(({ endpoint_id }) => of(endpoint_id) === 'fast') ? 'any' : 'notFast';
  }

  const isFull = (): boolean =>
    (inFlight.total >= maxInFlight && freeSlots(inFlight, inFlight.speeds(), maxInFlight) <= 0) ||
    inFlight.unrecorded >= maxInFlight * UNRECORDED_FACTOR;

  const handOff = createHandOff({
    inFlight,
    maxInFlight,
    admit: () => (isStopping() || isRecovering || isFull() ? undefined : leased()),
    backlog: () => backlog,
    toToken: toClaimToken,
    addAttempt,
    begin,
    onRelease() {
      isUnsure = true;
      wake();
    },
  });

  async function claim(): Promise<void> {
    const registration = leased();
    if (registration === undefined) return;
    await recoverUnsure(registration);
    if (isFull()) {
      backlog = 'any';
      return;
    }
    const { due, isOld, isNamed, mustSearchAgain } = await finder.find();
    backlog = backlogOf(due, mustSearchAgain);
    const queues = examineLimits.at(planQueues(due, inFlight, maxInFlight));
    isClaiming = true;
    try {
      const round = await claimDeliveries(db, registration, queues);
      const { claims, refused } = round;
      finder.note(queues, round);
      // If named queues had no more due deliveries than the round took, no search is needed.
      if (isNamed && !finder.hasNamed() && !mustSearchAgain) backlog = 'none';
      examineLimits.note(queues, refused);
      for (const { row, token } of claims) {
        handOff.note(row);
        begin({ row, token }, addAttempt(row, token));
      }
      const hasTaken = claims.length + refused.size > 0;
      if ((hasTaken && backlog !== 'none') || round.isRateNew || mustSearchAgain || (isOld && finder.isExhausted()))
        wake();
    } catch (error) {
      isUnsure = true;
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
    mayClaim: () => !isStopping() && leased() !== undefined && !isFull(),
    isClaiming: () => isClaiming,
    handOff,
  };
}
