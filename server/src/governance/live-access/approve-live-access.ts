import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from '../operators/index.ts';
import { findLiveAccess, upsertLiveAccess } from './access-store.ts';
import { LiveAccessApproval } from './decision.ts';
import { type LiveAccessRequestRow, nextState, reviewParams, sortScopes } from './live-access.ts';
import { LiveAccessReview } from './live-access-views.ts';
import { requireStep } from './require-step.ts';
import {
  exampleReview,
  lockSubmittedRequest,
  recordDecision,
  reportAfterCommit,
  requireIndependent,
  reviewOf,
} from './review.ts';
import { findOrganisation, updateDecision } from './store.ts';

export const approveLiveAccess = operation({
  id: 'approveLiveAccess',
  route: 'POST /api/operator/live-access-requests/{liveAccessRequestId}/approve',
  tag: 'Live access',
  summary: 'Approve live access',
  description:
    'Approves a submitted request, or some of its scopes. Creates the app in production if it does not exist there. Earlier approved scopes stay approved. `maxServers` replaces the earlier limit on servers. A reviewer who edited or submitted the request, or who belongs to the organisation, cannot approve it.',
  access: operator(),
  params: reviewParams,
  body: LiveAccessApproval,
  examples: { inPart: { version: 4, scopes: ['servers:read'], maxServers: 25 } },
  replies: ok('The approved request.', LiveAccessReview, { approved: exampleReview }),
  problems: ['not_found', 'conflict', 'reviewer_not_independent'],
  async run(context, { ids, body }) {
    const { tx, person } = context;
    const row = await lockSubmittedRequest(tx, ids.liveAccessRequestId);
    await requireIndependent(context, row);
    requireStep(row, 'approve', body.version);
    const requested = row.scopes.map(({ scope }) => scope);
    const errors = body.scopes.flatMap((scope, at) =>
      requested.includes(scope) ? [] : [{ pointer: `/scopes/${at}`, detail: 'is not requested' }],
    );
    if (errors.length > 0) throw problem('invalid_request', { errors });
    if ((await findOrganisation(tx, row.organisation_id))?.is_ending) {
      throw problem('conflict', { detail: 'The organisation is being deleted.' });
    }
    const scopes = sortScopes(body.scopes);
    await grant(context, row, { scopes, maxServers: body.maxServers });
    const decision = { state: nextState(row.state, 'approve'), by: person.email, reason: null, scopes };
    const decided = await updateDecision(tx, row.request_id, decision);
    await recordDecision(context, row, { action: 'approve', scopes, maxServers: body.maxServers });
    reportAfterCommit(context, row);
    return { status: 200, body: await reviewOf(context, decided) };
  },
});

/** Adds the scopes to the app's live access. Suspended access stays suspended; revoked access becomes active. */
async function grant(
  { tx }: Parameters<typeof reviewOf>[0],
  row: LiveAccessRequestRow,
  { scopes, maxServers }: { scopes: ReturnType<typeof sortScopes>; maxServers: number | null },
): Promise<void> {
  const before = await findLiveAccess(tx, row.organisation_id, row.app_id);
  await upsertLiveAccess(tx, {
    organisation_id: row.organisation_id,
    app_id: row.app_id,
    app_name: row.app_name,
    scopes: sortScopes([...(before?.scopes ?? []), ...scopes]),
    max_servers: maxServers,
    status: before?.status === 'suspended' ? 'suspended' : 'active',
  });
}
