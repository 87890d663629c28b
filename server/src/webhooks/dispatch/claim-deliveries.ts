// Claims what is due: locks it, judges its authority as of now, and takes into flight only what is allowed. One short
// transaction, over before anything is sent.

import type { Database, Queryable } from '../../kit/db/db.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { judgeDelivery } from '../webhooks/index.ts';
import { applyVerdicts, type CandidateRow, claimDue, shareClaims, type Verdict } from './dispatch-store.ts';
import type { LanePlan } from './lanes.ts';
import { lockRooms, spendRooms } from './pace-store.ts';
import { CLAIM_LIFE_MS, type Incarnation, type Ticket } from './permits.ts';

/** A candidate that was allowed: everything that sending needs. */
export interface Claim {
  row: CandidateRow & { body: string };
  ticket: Ticket;
}

/** A lane, and how many of it are judged: more than it has room for where nothing but refusals is expected. */
export type JudgedLane = LanePlan & { look: number };

export interface Round {
  claims: Claim[];
  /** How many of each endpoint were cancelled or set aside: they took a turn and no place, so that there may be more at once. */
  refused: ReadonlyMap<string, number>;
  /** An endpoint has a rate that its lane does not know: its deliveries wait for a round that searches. */
  isRateNew: boolean;
}

/**
 * Stopped or interrupted so often, it is given up. The schedule has ten attempts, but what we break off ourselves is made again
 * without end; a number that its column cannot hold would fail the claim of everybody's deliveries.
 */
const MAX_ATTEMPTS = 1_000;

type Judged = Pick<Verdict, 'verdict' | 'reason'>;

/** The endpoint and the event may be gone altogether; all else is the one rule of judgeDelivery. */
function judge(row: CandidateRow): Judged {
  if (row.is_endpoint_deleted) return { verdict: 'refuse', reason: 'endpoint_deleted' };
  if (row.body === null) return { verdict: 'refuse', reason: 'event_expired' };
  if (row.attempt_no > MAX_ATTEMPTS) return { verdict: 'refuse', reason: 'too_many_attempts' };
  if (row.is_of_earlier_grant) return { verdict: 'refuse', reason: 'installation_revoked' };
  if (row.is_of_earlier_resource_grant) return { verdict: 'refuse', reason: 'resource_scope_revoked' };
  const judgement = judgeDelivery(row);
  return judgement.verdict === 'allow' ? { verdict: 'allow', reason: null } : judgement;
}

function toTicket(row: CandidateRow, incarnation: Incarnation, askedMs: number): Ticket {
  return {
    appId: row.app_id,
    keyId: row.key_id,
    serverId: row.server_id,
    endpointId: row.endpoint_id,
    epoch: row.epoch,
    beginByMs: askedMs + Math.min(CLAIM_LIFE_MS, row.key_life_ms),
    incarnation,
  };
}

interface Judgement {
  row: CandidateRow;
  judged: Judged;
}

const isWhole = (row: CandidateRow): row is Claim['row'] => row.body !== null;

/** What is allowed beyond a lane's room waits on, as if nobody had looked at it. */
function withinRooms(judged: readonly Judgement[], lanes: readonly LanePlan[]): Judgement[] {
  const rooms = new Map(lanes.map(({ endpointId, room }) => [endpointId, room]));
  return judged.filter(({ row, judged: { verdict } }) => {
    if (verdict !== 'allow') return true;
    const room = rooms.get(row.endpoint_id) ?? 0;
    rooms.set(row.endpoint_id, room - 1);
    return room > 0;
  });
}

function countRefused(judged: readonly Judgement[]): Map<string, number> {
  const refused = new Map<string, number>();
  for (const { row, judged: of } of judged) {
    if (of.verdict !== 'allow') refused.set(row.endpoint_id, (refused.get(row.endpoint_id) ?? 0) + 1);
  }
  return refused;
}

const hasRate = (lane: LanePlan): boolean => lane.ratePerSecond !== null;

/** The lanes with as much room as their rates leave them. What they were dealt beyond that, another claim gets. */
async function withinRates(tx: Queryable, lanes: readonly JudgedLane[]): Promise<JudgedLane[]> {
  const rated = lanes.filter(hasRate);
  if (rated.length === 0) return [...lanes];
  const rooms = new Map((await lockRooms(tx, rated)).map(({ endpoint_id, room }) => [endpoint_id, room]));
  return lanes.flatMap((lane) => {
    const room = hasRate(lane) ? Math.min(lane.room, rooms.get(lane.endpointId) ?? 0) : lane.room;
    return room > 0 ? [{ ...lane, room }] : [];
  });
}

async function spendRates(tx: Queryable, lanes: readonly LanePlan[], claims: readonly Claim[]): Promise<void> {
  const begun = lanes.filter(hasRate).flatMap(({ appId, endpointId }) => {
    const { length: count } = claims.filter(({ row }) => row.endpoint_id === endpointId);
    return count > 0 ? [{ appId, endpointId, count }] : [];
  });
  if (begun.length > 0) await spendRooms(tx, begun);
}

const NOTHING: Round = { claims: [], refused: new Map(), isRateNew: false };

/** Endpoints whose owner gave them a rate after their lane was found. */
function newlyRated(candidates: readonly CandidateRow[], lanes: readonly LanePlan[]): Set<string> {
  const unrated = new Set(lanes.filter((lane) => !hasRate(lane)).map(({ endpointId }) => endpointId));
  return new Set(
    candidates.flatMap(({ endpoint_id, rate_per_second }) =>
      rate_per_second !== null && unrated.has(endpoint_id) ? [endpoint_id] : [],
    ),
  );
}

export async function claimDeliveries(
  db: Database,
  incarnation: Incarnation,
  planned: readonly JudgedLane[],
): Promise<Round> {
  if (planned.length === 0) return NOTHING;
  const askedMs = monotonicMs();
  return db.transaction(async (tx) => {
    const lanes = await withinRates(tx, planned);
    const appIds = new Set(lanes.map(({ appId }) => appId));
    shareClaims(tx, [...appIds]);
    const found = await claimDue(tx, lanes);
    const paced = newlyRated(found, lanes);
    const candidates = paced.size === 0 ? found : found.filter(({ endpoint_id }) => !paced.has(endpoint_id));
    if (candidates.length === 0) return { ...NOTHING, isRateNew: paced.size > 0 };
    const judged = withinRooms(
      candidates.map((row) => ({ row, judged: judge(row) })),
      lanes,
    );
    applyVerdicts(
      tx,
      incarnation.workerId,
      judged.map(({ row, judged: { verdict, reason } }) => {
        const { app_id, delivery_id, resource_scope } = row;
        return { app_id, delivery_id, verdict, reason, resource_scope };
      }),
    );
    const claims = judged.flatMap(({ row, judged: { verdict } }): Claim[] =>
      verdict === 'allow' && isWhole(row) ? [{ row, ticket: toTicket(row, incarnation, askedMs) }] : [],
    );
    await spendRates(tx, lanes, claims);
    return { claims, refused: countRefused(judged), isRateNew: paced.size > 0 };
  });
}
