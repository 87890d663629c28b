import { allowMemberChange } from '../../identity/sessions/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { detailOf } from './detail.ts';
import { LiveAccessStep, nextState, requestParams } from './live-access.ts';
import { exampleDetail, LiveAccessRequestDetail } from './live-access-views.ts';
import { requireRequest, requireStep } from './require-step.ts';
import { insertStep, updateState } from './store.ts';

export const withdrawLiveAccessRequest = operation({
  id: 'withdrawLiveAccessRequest',
  route: 'POST /api/organisations/{organisationId}/live-access-requests/{liveAccessRequestId}/withdraw',
  tag: 'Live access',
  summary: 'Withdraw a request for live access',
  description: 'Withdraws an undecided request. Earlier approvals stay in effect.',
  access: allowMemberChange('live_access.request'),
  params: requestParams,
  body: LiveAccessStep,
  examples: { asRead: { version: 4 } },
  replies: ok('The withdrawn request.', LiveAccessRequestDetail, {
    withdrawn: { ...exampleDetail, state: 'withdrawn' },
  }),
  problems: ['conflict'],
  async run({ actor, tx, audit }, { ids, params, body }) {
    const row = await requireRequest(tx, actor.organisationId, ids.liveAccessRequestId);
    requireStep(row, 'withdraw', body.version);
    const withdrawn = await updateState(tx, row.request_id, nextState(row.state, 'withdraw'));
    await insertStep(tx, row.request_id, { by: 'member', actor: actor.name, action: 'withdraw' });
    audit('live_access.withdraw', params.liveAccessRequestId);
    return { status: 200, body: await detailOf(tx, withdrawn) };
  },
});
