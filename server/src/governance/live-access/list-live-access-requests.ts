import { AppId, organisationParams } from '../../access/authority/index.ts';
import { allowMemberRead } from '../../identity/sessions/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject, Type } from '../../kit/http/schema.ts';
import { exampleRequest, LiveAccessRequest, toRequest } from './live-access-views.ts';
import { listRequestRows } from './store.ts';

export const listLiveAccessRequests = operation({
  id: 'listLiveAccessRequests',
  route: 'GET /api/organisations/{organisationId}/live-access-requests',
  tag: 'Live access',
  summary: 'List requests for live access',
  description: 'Lists the requests of the organisation, newest first. `appId` selects one app.',
  access: allowMemberRead('live_access.read'),
  params: organisationParams,
  query: strictObject({
    ...listQuery,
    appId: Type.Optional({ ...AppId, description: 'Returns only entries of this sandbox app.' }),
  }),
  replies: listReplies(
    'LiveAccessRequestList',
    LiveAccessRequest,
    'A page of requests for live access.',
    exampleRequest,
  ),
  run: ({ actor, tx, paged }, { ids: { appId } }) =>
    paged({
      prefix: 'lar',
      load: (after, limit) => listRequestRows(tx, actor.organisationId, { appId, after, limit }),
      toItem: toRequest,
      idOf: (row) => row.request_id,
    }),
});
