import { ok, operation } from '../../kit/http/operation.ts';
import { operator } from '../operators/index.ts';
import { LiveAccessRefusal } from './decision.ts';
import { nextState, reviewParams } from './live-access.ts';
import { LiveAccessReview } from './live-access-views.ts';
import { requireStep } from './require-step.ts';
import { exampleReview, lockSubmittedRequest, recordDecision, requireIndependent, reviewOf } from './review.ts';
import { updateDecision } from './store.ts';

export const rejectLiveAccessRequest = operation({
  id: 'rejectLiveAccessRequest',
  route: 'POST /api/operator/live-access-requests/{liveAccessRequestId}/reject',
  tag: 'Live access',
  summary: 'Reject a request for live access',
  description: 'Rejects a submitted request. The organisation may draft another request.',
  access: operator(),
  params: reviewParams,
  body: LiveAccessRefusal,
  examples: { aReason: { version: 4, reason: 'The app is a copy of a revoked app.' } },
  replies: ok('The rejected request.', LiveAccessReview, { decided: exampleReview }),
  problems: ['not_found', 'conflict', 'reviewer_not_independent'],
  async run(context, { ids, body: { version, reason } }) {
    const { tx, person } = context;
    const row = await lockSubmittedRequest(tx, ids.liveAccessRequestId);
    await requireIndependent(context, row);
    requireStep(row, 'reject', version);
    const decision = { state: nextState(row.state, 'reject'), by: person.email, reason, scopes: null };
    const decided = await updateDecision(tx, row.request_id, decision);
    await recordDecision(context, row, { action: 'reject', text: reason });
    return { status: 200, body: await reviewOf(context, decided) };
  },
});
