import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from '../operators/index.ts';
import { updateStanding } from './access-store.ts';
import { LiveAccessSuspension } from './decision.ts';
import { reviewParams } from './live-access.ts';
import { enterDecision, exampleReview, holdReviewed, pushAfterCommit, requireLiveAccess, reviewOf } from './review.ts';
import { LiveAccessReview } from './shown.ts';

export const suspendLiveAccess = operation({
  id: 'suspendLiveAccess',
  method: 'POST',
  path: '/api/operator/live-access-requests/{liveAccessRequestId}/suspend',
  tag: 'Live access',
  summary: 'Suspend live access',
  description:
    'Suspends the app in production immediately: calls are refused, and deliveries are held. `resumeLiveAccess` ends the suspension.',
  access: operator(),
  params: reviewParams,
  body: LiveAccessSuspension,
  examples: { aReason: { reason: 'Many addresses use its key.' } },
  replies: { 200: { description: 'The request.', schema: LiveAccessReview, examples: { decided: exampleReview } } },
  problems: ['not_found', 'conflict'],
  async run(context, { ids, body: { reason } }) {
    const row = await holdReviewed(context.tx, ids.liveAccessRequestId);
    const access = await requireLiveAccess(context.tx, row);
    if (access.standing !== 'active') throw problem('conflict', { detail: `Live access is ${access.standing}.` });
    await updateStanding(context.tx, row, { standing: 'suspended', scopes: access.scopes, reason });
    await enterDecision(context, row, { action: 'suspend', text: reason });
    pushAfterCommit(context, row);
    return { status: 200, body: await reviewOf(context, row) };
  },
});
