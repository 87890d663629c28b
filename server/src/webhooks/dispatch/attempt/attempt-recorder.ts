// Records the outcome of attempts, many per statement, and retries while the database is unavailable. So no response of
// a receiver is lost while this process lives.
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, DatabaseUnavailable, isUnavailable } from '../../../kit/db/db.ts';
import { createBatcher } from '../../../kit/flow/batcher.ts';
import { insertNotice } from '../../../platform/notices/index.ts';
import { type AttemptResultRow, recordAttempts } from './attempt-store.ts';
import { disableEndpoint, toNoticeEndpoint } from '../health/health-store.ts';

const RETRY_AFTER_MS = 250;
const BATCH_DEADLINE_MS = 10_000;

export interface AttemptRecorder {
  /**
   * Disables an endpoint whose receiver responded 410 and notifies its organisation, then records the attempt. This
   * order prevents a crash in between from leaving the endpoint enabled. Returns false if the delivery no longer
   * belongs to this worker, or if it could not be recorded before `giveUp`.
   */
  record(row: AttemptResultRow, goneEndpointId: string | undefined): Promise<boolean>;
  /** Gives up: the next worker marks attempts that are not recorded yet as interrupted. */
  giveUp(): void;
}

type RecordOutcome = 'recorded' | 'missing';

export function createAttemptRecorder(db: Database, onError: (error: unknown) => void): AttemptRecorder {
  let isGivenUp = false;
  const batcher = createBatcher<AttemptResultRow, RecordOutcome>({
    async run(rows) {
      const recorded = await recordAttempts(db, rows, false);
      return rows.map((row) => (recorded.has(row.delivery_id) ? 'recorded' : 'missing'));
    },
    maxInFlight: 2,
    maxSize: 64,
    deadlineMs: BATCH_DEADLINE_MS,
    late: () => new DatabaseUnavailable(new Error('timeout')),
  });

  // Postgres refuses a whole batch for one bad row, so each row is then tried alone. A row that another transaction
  // held is waited for.
  async function settleAlone(row: AttemptResultRow): Promise<boolean> {
    const recorded = await recordAttempts(db, [row], true);
    return recorded.has(row.delivery_id);
  }

  async function tryOnce(row: AttemptResultRow): Promise<boolean> {
    try {
      if ((await batcher.join(row)) === 'recorded') return true;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      onError(error);
    }
    try {
      return await settleAlone(row);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      onError(error);
      // An attempt without its response is better than an attempt that stays in flight forever.
      return settleAlone({ ...row, response_headers: null, response_body: null });
    }
  }

  async function disable(row: AttemptResultRow, endpointId: string): Promise<void> {
    const reason = 'The receiver responded with 410 Gone.';
    await db.transaction(async (tx) => {
      const noticed = await disableEndpoint(tx, row.app_id, endpointId, reason);
      if (noticed === undefined) return;
      await insertNotice(tx, noticed, { kind: 'endpoint_disabled', endpoint: toNoticeEndpoint(noticed), reason });
    });
  }

  return {
    async record(row, goneEndpointId) {
      while (!isGivenUp) {
        try {
          if (goneEndpointId !== undefined) await disable(row, goneEndpointId);
          return await tryOnce(row);
        } catch (error) {
          onError(error);
          if (!isUnavailable(error)) return false;
          await pause(RETRY_AFTER_MS);
        }
      }
      return false;
    },
    giveUp() {
      isGivenUp = true;
    },
  };
}
