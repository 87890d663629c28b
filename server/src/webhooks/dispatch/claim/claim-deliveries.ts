// Claims due deliveries: locks them, judges their current authority, and marks only the allowed ones as in flight. One
// short transaction does this, and it ends before anything is sent.

import type { Database, Queryable } from '../../../kit/db/db.ts';
import { monotonicMs } from '../../../kit/flow/clock.ts';
import { authoriseDelivery } from '../../webhooks/index.ts';
import {
  applyDecisions,
  type CandidateRow,
  type ClaimDecisionRow,
  lockDueDeliveries,
  shareClaimLocks,
} from './claim-store.ts';
import { CLAIM_LIFETIME_MS, type ClaimToken, type WorkerRegistration } from '../workers/pre-send-check.ts';
import type { QueuePlan } from './queue-plan.ts';
import { lockRates, spendTokens } from './rate-store.ts';

type SentColumn = 'body' | 'trigger' | 'url' | 'sealed_secret' | 'schedule_speed' | 'schema_version';

/** An allowed delivery, with everything that sending needs. */
export interface DeliveryClaim {
  row: CandidateRow & { [K in SentColumn]: NonNullable<CandidateRow[K]> };
  token: ClaimToken;
}

/**
 * An endpoint queue, and the number of its deliveries whose access is checked. If refusals are expected, that number is
 * larger than the number of free slots.
 */
export type QueueClaimPlan = QueuePlan & { examineLimit: number };

export interface ClaimRound {
  claims: DeliveryClaim[];
  /**
   * Number of cancelled and held deliveries per endpoint. These deliveries counted as examined but took no slot, so more
   * may be due immediately.
   */
  refused: ReadonlyMap<string, number>;
  /** True if an endpoint has a rate that its queue does not know. Its deliveries wait for a round that searches. */
  isRateNew: boolean;
}

/**
 * Attempts after which a delivery that is stopped or interrupted again and again fails. The schedule has ten attempts,
 * but attempts that Slipway itself breaks off are repeated without limit. A number too large for its column would fail
 * the claim of all deliveries.
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
  const judgement = authoriseDelivery(row);
  return judgement.verdict === 'allow' ? { verdict: 'allow', reason: null } : judgement;
}

function toClaimToken(row: CandidateRow, registration: WorkerRegistration, askedMs: number): ClaimToken {
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
  judged: ClaimDecision;
}

/** The other columns are null only with these: without the endpoint, or without the event and the delivery. */
const isComplete = (row: CandidateRow): row is DeliveryClaim['row'] => row.body !== null && row.url !== null;

/**
 * Drops allowed deliveries beyond the free slots of their queue. These deliveries stay queued as if the claim had not
 * examined them.
 */
function limitToRoom(judged: readonly DecidedCandidate[], queues: readonly QueuePlan[]): DecidedCandidate[] {
  const rooms = new Map(queues.map(({ endpointId, room }) => [endpointId, room]));
  return judged.filter(({ row, judged: { verdict } }) => {
    if (verdict !== 'allow') return true;
    const room = rooms.get(row.endpoint_id) ?? 0;
    rooms.set(row.endpoint_id, room - 1);
    return room > 0;
  });
}

function countRefused(judged: readonly DecidedCandidate[]): Map<string, number> {
  const refused = new Map<string, number>();
  for (const { row, judged: of } of judged) {
    if (of.verdict !== 'allow') refused.set(row.endpoint_id, (refused.get(row.endpoint_id) ?? 0) + 1);
  }
  return refused;
}

const hasRate = (queue: QueuePlan): boolean => queue.ratePerSecond !== null;

/** Limits the slots of each endpoint queue to its rate. Another claim takes the remaining deliveries. */
async function limitToRates(tx: Queryable, queues: readonly QueueClaimPlan[]): Promise<QueueClaimPlan[]> {
  const rated = queues.filter(hasRate);
  if (rated.length === 0) return [...queues];
  const rooms = new Map((await lockRates(tx, rated)).map(({ endpoint_id, room }) => [endpoint_id, room]));
  return queues.flatMap((queue) => {
    const room = hasRate(queue) ? Math.min(queue.room, rooms.get(queue.endpointId) ?? 0) : queue.room;
    return room > 0 ? [{ ...queue, room }] : [];
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
    const judged = limitToRoom(
      candidates.map((row) => ({ row, judged: authoriseCandidate(row) })),
      queues,
    );
    applyDecisions(
      tx,
      registration.workerId,
      judged.map(({ row, judged: { verdict, reason } }) => {
        const { app_id, delivery_id, resource_scope } = row;
        return { app_id, delivery_id, verdict, reason, resource_scope };
      }),
    );
    const claims = judged.flatMap(({ row, judged: { verdict } }): DeliveryClaim[] =>
      verdict === 'allow' && isComplete(row) ? [{ row, token: toClaimToken(row, registration, askedMs) }] : [],
    );
    await spendRates(tx, queues, claims);
    return { claims, refused: countRefused(judged), isRateNew: paced.size > 0 };
  });
}
