// Rounds of claims: which lanes are due, how much each may have, and what was claimed is on its way.
import { monotonicMs } from '../../kit/clock.ts';
import type { Database } from '../../kit/db.ts';
import { type AttemptTools, attempt } from './attempt.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { listDueLanes } from './dispatch-store.ts';
import type { Flights } from './flights.ts';
import { hostOf, nextRoomInMs, planLanes } from './lanes.ts';
import type { Membership } from './membership.ts';

const MAX_LANES = 1_000;
const BEFORE_ALL_LANES = '00000000-0000-0000-0000-000000000000';
/** A rate that has room every millisecond is not looked at every millisecond: it has gathered some more by then. */
const PACE_AT_LEAST_MS = 20;

export interface ClaimerParts {
  db: Database;
  flights: Flights;
  membership: Membership;
  tools: AttemptTools;
  maxInFlight: number;
  /** Asks for another round, soon. */
  wake(): void;
}

/** One round of claims. `next` is where the next one begins to look, in the order of endpoints. */
export function createClaimer({
  db,
  flights,
  membership,
  tools,
  maxInFlight,
  wake,
}: ClaimerParts): () => Promise<void> {
  let next = BEFORE_ALL_LANES;
  let isBehind = false;
  let pacing: NodeJS.Timeout | undefined;

  function wakeIn(waitMs: number | undefined): void {
    clearTimeout(pacing);
    pacing = waitMs === undefined ? undefined : setTimeout(wake, Math.max(waitMs, PACE_AT_LEAST_MS)).unref();
  }

  return async () => {
    const incarnation = membership.current();
    if (incarnation === undefined || monotonicMs() >= incarnation.leaseUntilMs) return;
    if (flights.total >= maxInFlight) return;
    const due = await listDueLanes(db, next, MAX_LANES);
    const isWrapped = due.length < MAX_LANES;
    const mustLookAgain = isWrapped && next !== BEFORE_ALL_LANES;
    next = (isWrapped ? undefined : due.at(-1)?.endpoint_id) ?? BEFORE_ALL_LANES;
    isBehind = due.length > 0;
    wakeIn(nextRoomInMs(due));
    const lanes = planLanes(due, flights, maxInFlight);
    const { claims, refused } = await claimDeliveries(db, incarnation, lanes);
    for (const claim of claims) {
      const { delivery_id, endpoint_id, url, is_ordered } = claim.row;
      const ids = { deliveryId: delivery_id, endpointId: endpoint_id, host: hostOf(url) };
      const flight = flights.add({ ...ids, ticket: claim.ticket });
      void attempt(claim, flight, tools).finally(() => {
        flights.remove(flight);
        // The end of one that is in order lets the next of its subject go.
        if (isBehind || is_ordered) wake();
      });
    }
    if (claims.length + refused > 0 || mustLookAgain) wake();
  };
}
