import { operation } from '../../kit/http/operation.ts';
import { operator } from '../operators/index.ts';
import { LiveAccessRefusal } from './decision.ts';
import { after, reviewParams } from './live-access.ts';
import { requireStep } from './member-step.ts';
import { enterDecision, exampleReview, holdReviewed, requireIndependent, reviewOf } from './review.ts';
import { LiveAccessReview } from './shown.ts';
import { decide } from './store.ts';

export const requestLiveAccessChanges = operation({
  id: 'requestLiveAccessChanges',
  method: 'POST',
  path: '/api/operator/live-access-requests/{liveAccessRequestId}/request-changes',
  tag: 'Live access',
  summary: 'Request changes',
  description:
    'Returns a submitted request to its organisation, with the changes that the reviewer requests. The organisation can edit the request and submit it again, with new evidence.',
  access: operator(),
  params: reviewParams,
  body: LiveAccessRefusal,
  examples: { aReason: { version: 4, reason: 'State for how long the app stores the names of servers.' } },
  replies: {
    200: { description: 'The returned request.', schema: LiveAccessReview, examples: { decided: exampleReview } },
  },
  problems: ['not_found', 'conflict', 'reviewer_not_independent'],
  async run(context, { ids, body: { version, reason } }) {
    const { tx, person } = context;
    const row = await holdReviewed(tx, ids.liveAccessRequestId);
    await requireIndependent(context, row);
    requireStep(row, 'request_changes', version);
    const decision = { state: after(row.state, 'request_changes'), by: person.email, reason, scopes: null };
    const decided = await decide(tx, row.request_id, decision);
    await enterDecision(context, row, { action: 'request_changes', text: reason });
    return { status: 200, body: await reviewOf(context, decided) };
  },
});
