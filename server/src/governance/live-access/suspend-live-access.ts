import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from '../operators/index.ts';
import { LiveAccessSuspension } from './decision.ts';
import { reviewParams } from './live-access.ts';
import { LiveAccessReview } from './live-access-views.ts';
import { changeLiveAccess, exampleReview, lockSubmittedRequest, requireLiveAccess } from './review.ts';

export const suspendLiveAccess = operation({
  id: 'suspendLiveAccess',
  route: 'POST /api/operator/live-access-requests/{liveAccessRequestId}/suspend',
  tag: 'Live access',
  summary: 'Suspend live access',
  description:
    'Suspends the app in production immediately: calls are refused, and deliveries are held. `resumeLiveAccess` ends the suspension.',
  access: operator(),
  params: reviewParams,
  body: LiveAccessSuspension,
  examples: { aReason: { reason: 'Many addresses use its key.' } },
  replies: ok('The request.', LiveAccessReview, { decided: exampleReview }),
  problems: ['not_found', 'conflict'],
  async run(context, { ids, body: { reason } }) {
    const row = await lockSubmittedRequest(context.tx, ids.liveAccessRequestId);
    const access = await requireLiveAccess(context.tx, row);
    if (access.status !== 'active') throw problem('conflict', { detail: `Live access is ${access.status}.` });
    return changeLiveAccess(
      context,
      row,
      { status: 'suspended', scopes: access.scopes, reason },
      { action: 'suspend', text: reason },
    );
  },
});
