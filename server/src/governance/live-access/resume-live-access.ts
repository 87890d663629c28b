import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from '../operators/index.ts';
import { reviewParams } from './live-access.ts';
import { LiveAccessReview } from './live-access-views.ts';
import {
  changeLiveAccess,
  exampleReview,
  lockSubmittedRequest,
  requireIndependent,
  requireLiveAccess,
} from './review.ts';

export const resumeLiveAccess = operation({
  id: 'resumeLiveAccess',
  route: 'POST /api/operator/live-access-requests/{liveAccessRequestId}/resume',
  tag: 'Live access',
  summary: 'Resume live access',
  description:
    'Ends the suspension of the app in production: its keys give access again, and held deliveries are sent. A reviewer who edited or submitted the request, or who belongs to the organisation, cannot resume it.',
  access: operator(),
  params: reviewParams,
  replies: ok('The request.', LiveAccessReview, { decided: exampleReview }),
  problems: ['not_found', 'conflict', 'reviewer_not_independent'],
  async run(context, { ids }) {
    const row = await lockSubmittedRequest(context.tx, ids.liveAccessRequestId);
    await requireIndependent(context, row);
    const access = await requireLiveAccess(context.tx, row);
    if (access.status !== 'suspended') throw problem('conflict', { detail: `Live access is ${access.status}.` });
    return changeLiveAccess(
      context,
      row,
      { status: 'active', scopes: access.scopes, reason: null },
      { action: 'resume' },
    );
  },
});
