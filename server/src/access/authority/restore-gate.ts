// The restore gate: a database that was restored to an earlier time stays closed until an operator runs
// `slipway-server reopen` (docs/decisions/0061).
import type { Queryable } from '../../kit/db/db.ts';
import { type ProblemError, problem } from '../../kit/openapi/problems.ts';
import { findPlaneGate } from './store.ts';

const DETAIL =
  'The service was restored from a backup and is closed until its operator confirms which access is still valid. Try again later.';

/** Returns the answer to every call while the gate is closed. */
export const unavailableWhileClosed = (): ProblemError =>
  problem('unavailable', { detail: DETAIL, headers: { 'retry-after': '60' }, isReported: true });

const WITHOUT_LEASE =
  'The Console has not confirmed the status of organisations for too long, so access cannot be confirmed. Try again later.';

/**
 * Returns the answer to every call after the Console's lease on the status of organisations has run out
 * (docs/decisions/0068).
 */
export const unavailableWithoutLease = (): ProblemError =>
  problem('unavailable', { detail: WITHOUT_LEASE, headers: { 'retry-after': '15' }, isReported: true });

/** Rejects while the gate of this plane is closed. */
export async function requireOpenGate(tx: Queryable): Promise<void> {
  if (await findPlaneGate(tx)) throw unavailableWhileClosed();
}
