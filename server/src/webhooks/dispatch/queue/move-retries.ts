// Moves waiting retries to the current schedule of their endpoint after that schedule was changed, a page at a time.

import { randomShare } from '../../../kit/crypto/ids.ts';
import type { Database } from '../../../kit/db/db.ts';
import { SLIPWAY_OUTCOMES } from '../../webhooks/index.ts';
import { isOnSchedule, retryAt } from '../attempt/attempt-result.ts';
import {
  type ChangedScheduleRow,
  endChangedSchedule,
  listChangedSchedules,
  listWaitingRetries,
  type MovedRetry,
  moveRetries,
  type RetryPosition,
  type WaitingRetryRow,
} from './move-retries-store.ts';

const ENDPOINTS_AT_ONCE = 100;
const RETRIES_AT_ONCE = 500;
/**
 * Seconds. An attempt in flight at the change still schedules its retry by the earlier schedule. No attempt takes
 * longer than this.
 */
const LOOK_AGAIN_FOR_S = 60;

/**
 * Returns the number of moved retries. An endpoint whose retries cannot be moved is reported and does not affect the
 * others.
 */
export async function moveWaitingRetries(
  db: Database,
  onError: (error: unknown) => void,
  atOnce = RETRIES_AT_ONCE,
): Promise<number> {
  let moved = 0;
  for (const endpoint of await listChangedSchedules(db, ENDPOINTS_AT_ONCE)) {
    try {
      moved += await moveRetriesOfEndpoint(db, endpoint, atOnce);
      await endChangedSchedule(db, endpoint, LOOK_AGAIN_FOR_S);
    } catch (error) {
      onError(error);
    }
  }
  return moved;
}

async function moveRetriesOfEndpoint(db: Database, endpoint: ChangedScheduleRow, atOnce: number): Promise<number> {
  let moved = 0;
  let after: RetryPosition | undefined;
  for (;;) {
    const rows = await listWaitingRetries(db, endpoint, after, atOnce);
    const off = rows.flatMap((row) => toMovedRetries(row, endpoint.schedule_speed));
    if (off.length > 0) await moveRetries(db, endpoint.app_id, off);
    moved += off.length;
    after = rows.at(-1);
    if (rows.length < atOnce) return moved;
  }
}

function toMovedRetries(row: WaitingRetryRow, speed: number): MovedRetry[] {
  // The schedule does not apply before the first attempt, or after an attempt that the receiver did not end.
  if (row.ended_ms === null || row.outcome === null || SLIPWAY_OUTCOMES.has(row.outcome)) return [];
  const { status, retry_after } = row;
  const ended = {
    attemptNo: row.attempt_no,
    speed,
    endedMs: row.ended_ms,
    status,
    retryAfter: retry_after ?? undefined,
  };
  if (isOnSchedule(ended, row.due_ms)) return [];
  const dueMs = retryAt(ended, randomShare());
  return dueMs === undefined ? [] : [{ deliveryId: row.delivery_id, attemptNo: row.attempt_no, dueMs }];
}
