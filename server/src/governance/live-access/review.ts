// The view of a reviewer: a request as it was submitted. Reviewers are operators, and see nothing of an organisation
// except its requests.

import { findMembership, lockConsoleOrganisation } from '../../identity/sessions/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { Queryable } from '../../kit/db/db.ts';
import type { Reply } from '../../kit/http/operation.ts';
import type { Static } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { announceNotice } from '../notice-mail/index.ts';
import type { OperatorContext } from '../operators/index.ts';
import { findLiveAccess, updateStatus } from './access-store.ts';
import type { LiveAccessRefusal } from './decision.ts';
import { composeDecisionText, type DecisionAction } from './decision-mail.ts';
import { detailOf } from './detail.ts';
import { type LiveAccessRequestRow, type LiveAccessRow, nextState, type RequestContents } from './live-access.ts';
import { exampleDetail, type LiveAccessReview } from './live-access-views.ts';
import { reportLiveAccess } from './report-live-access.ts';
import { requireStep } from './require-step.ts';
import { findOrganisation, findSubmittedRow, insertStep, lockRequest, updateDecision } from './store.ts';

/** Returns the submitted version. A reviewer sees it while the organisation edits a returned request. */
export function toSubmittedVersion(row: LiveAccessRequestRow): LiveAccessRequestRow {
  const { scopes, contacts }: RequestContents = JSON.parse(row.document ?? '{}'); // the text of freezeSubmission
  return { ...row, scopes, contacts };
}

export async function requireSubmittedRequest(tx: Queryable, requestId: string): Promise<LiveAccessRequestRow> {
  const row = await findSubmittedRow(tx, requestId);
  if (!row) throw problem('not_found');
  return toSubmittedVersion(row);
}

/** Returns the request after locking it together with the members of its organisation. */
export async function lockSubmittedRequest(tx: Queryable, requestId: string): Promise<LiveAccessRequestRow> {
  const { organisation_id } = await requireSubmittedRequest(tx, requestId);
  await lockConsoleOrganisation(tx, organisation_id);
  await lockRequest(tx, requestId);
  return requireSubmittedRequest(tx, requestId);
}

async function isInvolved({ tx, person }: OperatorContext, row: LiveAccessRequestRow): Promise<boolean> {
  return row.hands.includes(person.id) || (await findMembership(tx, row.organisation_id, person.id)) !== undefined;
}

export async function requireIndependent(context: OperatorContext, row: LiveAccessRequestRow): Promise<void> {
  if (await isInvolved(context, row)) throw problem('reviewer_not_independent');
}

export async function reviewOf(
  context: OperatorContext,
  row: LiveAccessRequestRow,
): Promise<Static<typeof LiveAccessReview>> {
  const organisation = await findOrganisation(context.tx, row.organisation_id);
  return {
    request: await detailOf(context.tx, toSubmittedVersion(row)),
    organisationName: organisation?.name ?? '',
    isOwn: await isInvolved(context, row),
  };
}

interface Decision {
  action: DecisionAction;
  text?: string | null;
  scopes?: readonly string[];
  maxServers?: number | null;
}

/**
 * Records the decision in the request's history, in the organisation's audit log and in the record of operators, and
 * announces it to the members and destinations that receive such decisions.
 */
export async function recordDecision(
  { tx, person, recordOf, services }: OperatorContext,
  row: LiveAccessRequestRow,
  { action, ...detail }: Decision,
): Promise<void> {
  await insertStep(tx, row.request_id, { by: 'reviewer', actor: person.email, action, detail });
  const requestId = toId('lar', row.request_id);
  const appId = toId('app', row.app_id);
  await recordOf(row.organisation_id, `live_access.${action}`, {
    requestId,
    appId,
    sha256: row.document_hash,
    ...detail,
  });
  await announceNotice(tx, {
    organisationId: row.organisation_id,
    environment: 'production',
    kind: 'live_access_decided',
    cause: `live_access_decided ${requestId}`,
    createdBy: row.submitted_by ?? row.created_by,
    message: composeDecisionText(row, { action, ...detail }, services.consoleUrl),
    notice: null,
  });
}

export async function requireLiveAccess(tx: Queryable, row: LiveAccessRequestRow): Promise<LiveAccessRow> {
  const access = await findLiveAccess(tx, row.organisation_id, row.app_id);
  if (!access) throw problem('conflict', { detail: 'The app has no live access.' });
  return access;
}

/** Rejects a submitted request or returns it to its organisation, for the reason that the reviewer gives. */
export async function refuseRequest(
  context: OperatorContext,
  requestId: string,
  step: 'reject' | 'request_changes',
  { version, reason }: Static<typeof LiveAccessRefusal>,
): Promise<Reply> {
  const { tx, person } = context;
  const row = await lockSubmittedRequest(tx, requestId);
  await requireIndependent(context, row);
  requireStep(row, step, version);
  const decision = { state: nextState(row.state, step), by: person.email, reason, scopes: null };
  const decided = await updateDecision(tx, row.request_id, decision);
  await recordDecision(context, row, { action: step, text: reason });
  return { status: 200, body: await reviewOf(context, decided) };
}

/** Changes granted live access, records the decision and reports it to production. */
export async function changeLiveAccess(
  context: OperatorContext,
  row: LiveAccessRequestRow,
  access: Parameters<typeof updateStatus>[2],
  decision: Decision,
): Promise<Reply> {
  await updateStatus(context.tx, row, access);
  await recordDecision(context, row, decision);
  reportAfterCommit(context, row);
  return { status: 200, body: await reviewOf(context, row) };
}

/** Reports to production before the response, or later if production cannot be reached. */
export function reportAfterCommit({ services, afterCommit }: OperatorContext, row: LiveAccessRequestRow): void {
  afterCommit(async () => {
    await reportLiveAccess(services, row.organisation_id, row.app_id);
  });
}

export const exampleReview: Static<typeof LiveAccessReview> = {
  request: exampleDetail,
  organisationName: 'Harbour Tools',
  isOwn: false,
};
