// A step of a member on a request of their organisation, which is locked at this point.

import type { Queryable } from '../../kit/db/db.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { isStepAllowed, type LiveAccessRequestRow, type RequestStep } from './live-access.ts';
import { findRequestRow } from './store.ts';

export async function requireRequest(
  tx: Queryable,
  organisationId: string,
  requestId: string,
): Promise<LiveAccessRequestRow> {
  const row = await findRequestRow(tx, organisationId, requestId);
  if (!row) throw problem('not_found');
  return row;
}

/** Refuses a step that the state does not allow, or on a version that has changed since it was read. */
export function requireStep(row: LiveAccessRequestRow, step: RequestStep, version: number): void {
  if (!isStepAllowed(row.state, step))
    throw problem('conflict', { detail: `The request is ${STATE_DESCRIPTIONS[row.state]}.` });
  if (row.version === version) return;
  throw problem('conflict', { detail: 'The request has changed since you read it. Read it again before you decide.' });
}

const STATE_DESCRIPTIONS: Record<LiveAccessRequestRow['state'], string> = {
  draft: 'a draft and was not submitted',
  submitted: 'submitted, and frozen until a reviewer decides',
  changes_requested: 'with its organisation, because a reviewer requested changes',
  approved: 'approved',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
};
