import { organisationParams } from '../../access/authority/index.ts';
import { allowMemberChange } from '../../identity/sessions/index.ts';
import { toId, toUuid } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { askSandbox } from './ask-sandbox.ts';
import { detailOf } from './detail.ts';
import { LiveAccessRequestInput, requestIdOf } from './live-access.ts';
import { exampleDetail, LiveAccessRequestDetail } from './live-access-views.ts';
import { findOpenRow, insertRequest, insertStep } from './store.ts';

export const createLiveAccessRequest = operation({
  id: 'createLiveAccessRequest',
  route: 'POST /api/organisations/{organisationId}/live-access-requests',
  tag: 'Live access',
  summary: 'Draft a request for live access',
  description:
    'Creates a draft of a request for one sandbox app. Only the organisation can see a draft. An app has at most one undecided request. After an approval, a new request can ask for further scopes; approved scopes stay approved.',
  access: allowMemberChange('live_access.request'),
  params: organisationParams,
  body: LiveAccessRequestInput,
  examples: { ofAnApp: { appId: exampleDetail.appId } },
  replies: created('The draft.', LiveAccessRequestDetail, {
    aDraft: {
      ...exampleDetail,
      state: 'draft',
      version: 1,
      submittedAt: null,
      submittedBy: null,
      submission: null,
    },
  }),
  problems: ['conflict'],
  async run({ services, actor, runAgain, afterCommit }, { body }) {
    const { organisationId } = actor;
    const appId = toUuid('app', body.appId);
    return afterCommit(async () => {
      const app = await askSandbox<{ name: string }>(services, actor, `apps/${body.appId}`);
      if (!app)
        throw problem('invalid_request', { errors: [{ pointer: '/appId', detail: 'is not an app in the sandbox' }] });
      return runAgain(async ({ tx, audit }) => {
        const open = await findOpenRow(tx, organisationId, appId);
        if (open) throw problem('conflict', { detail: `The app already has an open request: ${toId('lar', open)}.` });
        const row = await insertRequest(tx, {
          organisation_id: organisationId,
          app_id: appId,
          app_name: app.name,
          created_by: actor.name,
          personId: actor.personId,
        });
        await insertStep(tx, row.request_id, { by: 'member', actor: actor.name, action: 'draft' });
        audit('live_access.draft', requestIdOf(row), { appId: body.appId });
        return { status: 201, body: await detailOf(tx, row) };
      });
    });
  },
});
