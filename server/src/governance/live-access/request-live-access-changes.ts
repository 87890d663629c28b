import { ok, operation } from '../../kit/http/operation.ts';
import { operator } from '../operators/index.ts';
import { LiveAccessRefusal } from './decision.ts';
import { nextState, reviewParams } from './live-access.ts';
import { LiveAccessReview } from './live-access-views.ts';
import { requireStep } from './require-step.ts';
import { exampleReview, lockSubmittedRequest, recordDecision, requireIndependent, reviewOf } from './review.ts';
import { updateDecision } from './store.ts';

export const requestLiveAccessChanges = operation({
  id: 'requestLiveAccessChanges',
  route: 'POST /api/operator/live-access-requests/{liveAccessRequestId}/request-changes',
  tag: 'Live access',
  summary: 'Request changes',
  description:
    'Returns a submitted request to its organisation, with the changes that the reviewer requests. The organisation can edit the request and submit it again, with new evidence.',
  access: operator(),
  params: reviewParams,
  body: LiveAccessRefusal,
  examples: { aReason: { version: 4, reason: 'State for how long the app stores the names of servers.' } },
  replies: ok('The returned request.', LiveAccessReview, { decided: exampleReview }),
  problems: ['not_found', 'conflict', 'reviewer_not_independent'],
  async run(context, { ids, body: { version, reason } }) {
    const { tx, person } = context;
    const row = await lockSubmittedRequest(tx, ids.liveAccessRequestId);
    await requireIndependent(context, row);
    requireStep(row, 'request_changes', version);
    const decision = { state: nextState(row.state, 'request_changes'), by: person.email, reason, scopes: null };
    const decided = await updateDecision(tx, row.request_id, decision);
    await recordDecision(context, row, { action: 'request_changes', text: reason });
    return { status: 200, body: await reviewOf(context, decided) };
  },
});
