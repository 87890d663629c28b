import { ok, operation } from '../../kit/http/operation.ts';
import { operator } from '../operators/index.ts';
import { LiveAccessRefusal } from './decision.ts';
import { reviewParams } from './live-access.ts';
import { LiveAccessReview } from './live-access-views.ts';
import { exampleReview, refuseRequest } from './review.ts';

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
  run: (context, { ids, body }) => refuseRequest(context, ids.liveAccessRequestId, 'reject', body),
});
