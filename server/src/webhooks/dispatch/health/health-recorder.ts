// Notes the outcomes of attempts for the health of their endpoints. The outcomes are gathered and written every few
// seconds, so that no attempt waits for the row of its endpoint. A process that dies loses the outcomes of those
// seconds.

import type { Database } from '../../../kit/db/db.ts';
import { createAggregator } from '../../../kit/flow/aggregator.ts';
import { monotonicMs } from '../../../kit/flow/clock.ts';
import { type HealthOutcomes, mergeHealthOutcomes, SLIPWAY_OUTCOMES, toHealthOutcomes } from '../../webhooks/index.ts';
import type { AttemptResultRow } from '../attempt/attempt-store.ts';
import { updateHealth } from './health-store.ts';

export interface HealthRecorder {
  /** Notes the outcome before the first wait. Waits for the write if a failing endpoint succeeded. */
  note(attempt: AttemptResultRow, endpoint: { endpoint_id: string; is_failing: boolean }): Promise<void>;
  flush(): Promise<void>;
}

export function createHealthRecorder(
  db: Database,
  flushAfterMs: number,
  onError: (error: unknown) => void,
): HealthRecorder {
  const { add, flush } = createAggregator<HealthOutcomes>({
    merge: mergeHealthOutcomes,
    write: (outcomes) => updateHealth(db, outcomes, monotonicMs()),
    onError,
    flushAfterMs,
  });
  return {
    async note({ app_id, next, outcome }, { endpoint_id, is_failing }) {
      if (outcome === null || SLIPWAY_OUTCOMES.has(outcome)) return;
      const isSuccess = next === 'succeeded';
      add(endpoint_id, toHealthOutcomes({ appId: app_id, endpointId: endpoint_id }, isSuccess, monotonicMs()));
      // Write before the attempt is recorded: a success lost in a crash could end with the endpoint disabled.
      if (isSuccess && is_failing) await flush();
    },
    flush,
  };
}
