import { ok, operation } from '../../kit/http/operation.ts';
import { operator } from '../operators/index.ts';
import { LiveAccessRefusal } from './decision.ts';
import { reviewParams } from './live-access.ts';
import { LiveAccessReview } from './live-access-views.ts';
import { exampleReview, refuseRequest } from './review.ts';

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
  run: (context, { ids, body }) => refuseRequest(context, ids.liveAccessRequestId, 'request_changes', body),
});
