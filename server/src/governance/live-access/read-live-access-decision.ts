import { allowMemberChange } from '../../identity/sessions/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { LiveAccessDecisionRead, requestParams } from './live-access.ts';
import { exampleRequest, LiveAccessRequest, toRequest } from './live-access-views.ts';
import { requireRequest } from './require-step.ts';
import { insertDecisionRead, lockRequest } from './store.ts';

export const readLiveAccessDecision = operation({
  id: 'readLiveAccessDecision',
  route: 'POST /api/organisations/{organisationId}/live-access-requests/{liveAccessRequestId}/read',
  tag: 'Live access',
  summary: 'Mark a decision about live access as read',
  description:
    'Marks the last decision about a request as read for the whole organisation. The decision keeps the name of its first reader.',
  access: allowMemberChange('notices.change'),
  params: requestParams,
  body: LiveAccessDecisionRead,
  examples: { asRead: { decidedAt: '2026-11-03T09:00:00.000Z' } },
  replies: ok('The request after the change.', LiveAccessRequest, {
    aRejection: {
      ...exampleRequest,
      state: 'rejected',
      reason: 'The purpose needs no production data.',
      decidedAt: '2026-11-03T09:00:00.000Z',
      decisionReadAt: '2026-11-03T09:30:00.000Z',
      decisionReadBy: 'imke@example.org',
    },
  }),
  problems: ['conflict'],
  async run({ actor, tx, audit }, { ids, params, body }) {
    // A reviewer's decision waits for the mark, or is complete.
    await lockRequest(tx, ids.liveAccessRequestId);
    const row = await requireRequest(tx, actor.organisationId, ids.liveAccessRequestId);
    if (row.decided_at === null) throw problem('conflict', { detail: 'The request has no decision.' });
    if (row.decided_at.getTime() !== Date.parse(body.decidedAt)) {
      throw problem('conflict', {
        detail: '`decidedAt` must be the time of the last decision. Read the request again before you mark it.',
      });
    }
    const isFirst = await insertDecisionRead(tx, row.request_id, actor.name);
    if (isFirst) audit('live_access.read', params.liveAccessRequestId, { state: row.state });
    const read = await requireRequest(tx, actor.organisationId, row.request_id);
    return { status: 200, body: toRequest(read) };
  },
});
