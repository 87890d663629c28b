// Decides how many deliveries of each endpoint a claim judges. Refused deliveries must not delay those behind them in
// the queue.
import { LRUCache } from 'lru-cache';
import type { QueueClaimPlan } from './claim-deliveries.ts';
import type { QueuePlan } from './queue-plan.ts';

/** Maximum number of deliveries of an endpoint that a claim judges, after claims that refused all that they judged. */
const MAX_EXAMINE_LIMIT = 500;
const EXAMINE_LIMIT_GROWTH = 8;
/**
 * Number of remembered endpoints. A forgotten endpoint begins with a short look again. No claim reports the deletion of
 * an endpoint, so entries end only by this limit.
 */
const MAX_REMEMBERED = 10_000;

export function createExamineLimits(mostRemembered = MAX_REMEMBERED) {
  const looks = new LRUCache<string, number>({ max: mostRemembered });

  return {
    at: (queues: readonly QueuePlan[]): QueueClaimPlan[] =>
      queues.map((queue) => ({ ...queue, examineLimit: Math.max(queue.room, looks.get(queue.endpointId) ?? 0) })),
    note(queues: readonly QueueClaimPlan[], refused: ReadonlyMap<string, number>): void {
      for (const { endpointId, examineLimit } of queues) {
        if ((refused.get(endpointId) ?? 0) < examineLimit) looks.delete(endpointId);
        else looks.set(endpointId, Math.min(examineLimit * EXAMINE_LIMIT_GROWTH, MAX_EXAMINE_LIMIT));
      }
    },
    /** Returns the number of remembered endpoints. */
    size: (): number => looks.size,
  };
}
