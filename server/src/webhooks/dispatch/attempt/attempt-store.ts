// Records attempts, run as slipway_worker: many per statement, and again while the database is unavailable. So no
// response of a receiver is lost while this process lives.

import { setTimeout as pause } from 'node:timers/promises';
import { type Database, DatabaseUnavailable, isUnavailable, type Queryable } from '../../../kit/db/db.ts';
import { plainArray } from '../../../kit/db/pg-arrays.ts';
import { REMEMBERED_IDS, rememberIds } from '../../../kit/db/remembered-ids-store.ts';
import { sql } from '../../../kit/db/sql.ts';
import { createBatcher } from '../../../kit/flow/batcher.ts';
import { insertNotice } from '../../../platform/notices/index.ts';
import { disableEndpoint, findUnnoticed, toNoticeEndpoint } from '../health/health-store.ts';

export interface AttemptResultRow {
  app_id: string;
  delivery_id: string;
  worker_id: string;
  attempt_no: number;
  /** 'unsent': nothing left this process, so there was no attempt and its number is used again. */
  next: 'succeeded' | 'failed' | 'waiting' | 'unsent';
  delay_ms: number;
  started_at_ms: number;
  duration_us: number;
  outcome: string | null;
  status: number | null;
  detail: string | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  is_body_cut: boolean;
  /** URL of the endpoint in the attempt; null if no attempt is recorded. */
  url: string | null;
  key_id: string;
}

/** Returns the row as a JSON object with a field for each column of `settled_attempt_v3`. */
function columnsOf({ worker_id: _, started_at_ms, delay_ms, ...same }: AttemptResultRow): object {
  return { ...same, delay_ms: Math.round(delay_ms), started_at: new Date(started_at_ms).toISOString() };
}

/**
 * Records attempts in one round trip: a row each, and the end of the delivery or its next attempt. Returns the ids of
 * the recorded deliveries.
 *
 * Deliveries that no longer belong to this worker are missing from the result. With `isPatient` false, those whose row
 * another transaction has locked are missing too. A statement over many rows that waits for one of them could take part
 * in a deadlock.
 *
 * Two forms serve the planner. `state || ''` hides the column from the index of in-flight rows, so that each delivery is
 * found by its primary key. With that index, a cached plan read all in-flight rows of the worker for each delivery.
 * `in (select …)` puts the remembered ids into a hash table. A join scanned the list of ids for each delivery.
 */
export async function recordAttempts(
  db: Database,
  results: readonly AttemptResultRow[],
  isPatient: boolean,
): Promise<Set<string>> {
  const of = (key: 'app_id' | 'delivery_id' | 'worker_id' | 'attempt_no') => plainArray(results.map((row) => row[key]));
  const ownDeliveries = sql`
    select q.delivery_id
    from unnest(${of('app_id')}::uuid[], ${of('delivery_id')}::uuid[], ${of('worker_id')}::uuid[], ${of('attempt_no')}::smallint[])
      as g (app_id, delivery_id, worker_id, attempt_no)
    cross join lateral (
      select delivery_id from queue
      where app_id = g.app_id and delivery_id = g.delivery_id and state || '' = 'in_flight' and worker_id = g.worker_id
        and attempt_no = g.attempt_no
      limit 1 for update ${isPatient ? sql`` : sql`skip locked`}) q`;
  const record = sql`
    with kept as materialized (
      select g.* from json_populate_recordset(null::settled_attempt_v3, ${JSON.stringify(results.map(columnsOf))}::json) as g
      where (g.delivery_id in (select * from ${REMEMBERED_IDS})) is true),
    recorded as (
      insert into attempts (app_id, delivery_id, attempt_no, started_at, duration_us, outcome, status, detail,
        response_headers, response_body, is_body_cut, url, key_id)
      select app_id, delivery_id, attempt_no, started_at, duration_us, outcome, status, detail, response_headers,
        response_body, is_body_cut, url, key_id
      from kept where outcome is not null),
    over as (
      delete from queue q using kept k
      where q.app_id = k.app_id and q.delivery_id = k.delivery_id and k.next in ('succeeded', 'failed')),
    again as (
      update queue q set state = 'waiting', worker_id = null, claimed_at = null,
        due_at = clock_timestamp() + k.delay_ms * interval '1 millisecond',
        attempt_no = q.attempt_no - case k.next when 'unsent' then 1 else 0 end
      from kept k where q.app_id = k.app_id and q.delivery_id = k.delivery_id and k.next in ('waiting', 'unsent')),
    ended as (
      update deliveries d set status = k.next, reason = null, finished_at = clock_timestamp()
      from kept k where d.app_id = k.app_id and d.delivery_id = k.delivery_id and k.next in ('succeeded', 'failed'))
    select delivery_id from kept`;
  const remember = rememberIds(ownDeliveries);
  // A response of 410 disables the endpoint, which has a notice of its own.
  const failed = results.filter((row) => row.next === 'failed' && row.status !== GONE);
  const rows =
    failed.length === 0
      ? await db.together<{ delivery_id: string }>([remember, record])
      : await db.transaction(async (tx) => {
          const [, recorded] = await Promise.all([tx.query(remember), tx.query<{ delivery_id: string }>(record)]);
          await noticeFailures(tx, failed, recorded);
          return recorded;
        });
  return new Set(rows.map((row) => row.delivery_id));
}

/** Writes a notice for each endpoint with a recorded delivery whose last attempt failed. */
async function noticeFailures(
  tx: Queryable,
  failed: readonly AttemptResultRow[],
  recorded: readonly { delivery_id: string }[],
): Promise<void> {
  const ids = new Set(recorded.map((row) => row.delivery_id));
  const ended = failed.filter((row) => ids.has(row.delivery_id));
  for (const row of await findUnnoticed(tx, ended)) {
    const endpoint = toNoticeEndpoint(row);
    await insertNotice(tx, row, { kind: 'delivery_exhausted', endpoint, deliveryId: row.delivery_id });
  }
}

const GONE = 410;
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
    timeoutError: () => new DatabaseUnavailable(new Error('timeout')),
  });

  // Postgres refuses a whole batch for one bad row, so each row is then recorded alone. Waits for a row that another
  // transaction has locked.
  async function recordAlone(row: AttemptResultRow): Promise<boolean> {
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
      return await recordAlone(row);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      onError(error);
      // An attempt without its response is better than an attempt that stays in flight forever.
      return recordAlone({ ...row, response_headers: null, response_body: null });
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
