import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { operator } from '../operators/index.ts';
import { LiveAccessRevocation } from './decision.ts';
import { reviewParams } from './live-access.ts';
import { LiveAccessReview } from './live-access-views.ts';
import { changeLiveAccess, exampleReview, lockSubmittedRequest, requireLiveAccess } from './review.ts';

export const revokeLiveAccess = operation({
  id: 'revokeLiveAccess',
  route: 'POST /api/operator/live-access-requests/{liveAccessRequestId}/revoke',
  tag: 'Live access',
  summary: 'Revoke live access',
  description:
    'Revokes some scopes of the app in production, or all of its live access, immediately. Keys keep their scopes but give access only to approved scopes. If no approved scope is left, the keys are revoked too. To get a revoked scope back, the organisation has to request it again.',
  access: operator(),
  params: reviewParams,
  body: LiveAccessRevocation,
  examples: {
    aScope: { reason: 'The app opened tickets that no customer had asked for.', scopes: ['tickets:create'] },
  },
  replies: ok('The request.', LiveAccessReview, { decided: exampleReview }),
  problems: ['not_found', 'conflict'],
  async run(context, { ids, body: { reason, scopes } }) {
    const row = await lockSubmittedRequest(context.tx, ids.liveAccessRequestId);
    const access = await requireLiveAccess(context.tx, row);
    const revoked = access.scopes.filter((scope) => scopes === undefined || scopes.includes(scope));
    if (revoked.length === 0) throw problem('conflict', { detail: 'None of these scopes is approved.' });
    const remaining = access.scopes.filter((scope) => !revoked.includes(scope));
    const status = remaining.length === 0 ? 'revoked' : access.status;
    return changeLiveAccess(
      context,
      row,
      { status, scopes: remaining, reason },
      { action: 'revoke', text: reason, scopes: revoked },
    );
  },
});
