import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from '../operators/index.ts';
import { updateStanding } from './access-store.ts';
import { reviewParams } from './live-access.ts';
import {
  enterDecision,
  exampleReview,
  holdReviewed,
  pushAfterCommit,
  requireIndependent,
  requireLiveAccess,
  reviewOf,
} from './review.ts';
import { LiveAccessReview } from './shown.ts';

export const resumeLiveAccess = operation({
  id: 'resumeLiveAccess',
  method: 'POST',
  path: '/api/operator/live-access-requests/{liveAccessRequestId}/resume',
  tag: 'Live access',
  summary: 'Resume live access',
  description:
    'Ends the suspension of the app in production: its keys give access again, and held deliveries are sent. A reviewer who edited or submitted the request, or who belongs to the organisation, cannot resume it.',
  access: operator(),
  params: reviewParams,
  replies: { 200: { description: 'The request.', schema: LiveAccessReview, examples: { decided: exampleReview } } },
  problems: ['not_found', 'conflict', 'reviewer_not_independent'],
  async run(context, { ids }) {
    const row = await holdReviewed(context.tx, ids.liveAccessRequestId);
    await requireIndependent(context, row);
    const access = await requireLiveAccess(context.tx, row);
    if (access.standing !== 'suspended') throw problem('conflict', { detail: `Live access is ${access.standing}.` });
    await updateStanding(context.tx, row, { standing: 'active', scopes: access.scopes, reason: null });
    await enterDecision(context, row, { action: 'resume' });
    pushAfterCommit(context, row);
    return { status: 200, body: await reviewOf(context, row) };
  },
});
