import { allowMemberRead } from '../../identity/sessions/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { detailOf } from './detail.ts';
import { requestParams } from './live-access.ts';
import { exampleDetail, LiveAccessRequestDetail } from './live-access-views.ts';
import { requireRequest } from './require-step.ts';

export const getLiveAccessRequest = operation({
  id: 'getLiveAccessRequest',
  route: 'GET /api/organisations/{organisationId}/live-access-requests/{liveAccessRequestId}',
  tag: 'Live access',
  summary: 'Get a request for live access',
  description:
    'Returns a request with its submission, its history and the resulting live access. `submission.sha256` is the SHA-256 of the bytes of `submission.document`, so that every reader can verify it.',
  access: allowMemberRead('live_access.read'),
  params: requestParams,
  replies: ok('The request.', LiveAccessRequestDetail, { submitted: exampleDetail }),
  async run({ actor, tx }, { ids }) {
    const row = await requireRequest(tx, actor.organisationId, ids.liveAccessRequestId);
    return { status: 200, body: await detailOf(tx, row) };
  },
});
