import { allowMemberChange } from '../../identity/sessions/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { detailOf } from './detail.ts';
import { LiveAccessRequestChange, requestParams, validateContents } from './live-access.ts';
import { exampleDetail, exampleRequest, LiveAccessRequestDetail } from './live-access-views.ts';
import { requireRequest, requireStep } from './require-step.ts';
import { insertStep, updateContents } from './store.ts';

export const updateLiveAccessRequest = operation({
  id: 'updateLiveAccessRequest',
  route: 'PUT /api/organisations/{organisationId}/live-access-requests/{liveAccessRequestId}',
  tag: 'Live access',
  summary: 'Edit a request for live access',
  description:
    'Replaces the content of a draft, or of a request whose reviewer requested changes. Texts may be empty until you submit the request. A submitted request is frozen. `version` is the version that you read. If another member has changed the request since, your edit is refused and overwrites nothing.',
  access: allowMemberChange('live_access.request'),
  params: requestParams,
  body: LiveAccessRequestChange,
  examples: { aScope: { version: 1, scopes: exampleRequest.scopes, contacts: exampleDetail.contacts } },
  replies: ok('The edited request.', LiveAccessRequestDetail, { aDraft: { ...exampleDetail, state: 'draft' } }),
  problems: ['conflict'],
  async run({ actor, tx, audit }, { ids, params, body }) {
    const row = await requireRequest(tx, actor.organisationId, ids.liveAccessRequestId);
    requireStep(row, 'edit', body.version);
    const errors = validateContents(body);
    if (errors.length > 0) throw problem('invalid_request', { errors });
    const { scopes, contacts } = body;
    const edited = await updateContents(tx, row.request_id, { scopes, contacts }, actor.personId);
    const requested = scopes.map(({ scope }) => scope);
    await insertStep(tx, row.request_id, {
      by: 'member',
      actor: actor.name,
      action: 'edit',
      detail: { scopes: requested },
    });
    audit('live_access.edit', params.liveAccessRequestId, { scopes: requested });
    return { status: 200, body: await detailOf(tx, edited) };
  },
});
