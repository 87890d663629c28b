import { ok, operation } from '../../kit/http/operation.ts';
import { operator } from '../operators/index.ts';
import { reviewParams } from './live-access.ts';
import { LiveAccessReview } from './live-access-views.ts';
import { exampleReview, requireSubmittedRequest, reviewOf } from './review.ts';

export const getLiveAccessReview = operation({
  id: 'getLiveAccessReview',
  route: 'GET /api/operator/live-access-requests/{liveAccessRequestId}',
  tag: 'Live access',
  summary: 'Get a request to review',
  description:
    'Returns the submitted request with its frozen evidence and its history. While the organisation edits a returned request, this operation still returns the submitted version.',
  access: operator(),
  params: reviewParams,
  replies: ok('The submitted request.', LiveAccessReview, { submitted: exampleReview }),
  problems: ['not_found'],
  async run(context, { ids }) {
    const row = await requireSubmittedRequest(context.tx, ids.liveAccessRequestId);
    return { status: 200, body: await reviewOf(context, row) };
  },
});
