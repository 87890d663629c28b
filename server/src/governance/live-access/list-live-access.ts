import { AppId, organisationParams } from '../../access/authority/index.ts';
import { allowMemberRead } from '../../identity/sessions/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject, Type } from '../../kit/http/schema.ts';
import { listLiveAccessRows } from './access-store.ts';
import { exampleLiveAccess, LiveAccess, toLiveAccess } from './live-access-views.ts';

export const listLiveAccess = operation({
  id: 'listLiveAccess',
  route: 'GET /api/organisations/{organisationId}/live-access',
  tag: 'Live access',
  summary: 'List live access',
  description:
    'The access that apps of the organisation have in production, with the sandbox app of each. An app without live access is not in the list.',
  access: allowMemberRead('live_access.read'),
  params: organisationParams,
  query: strictObject({
    ...listQuery,
    appId: Type.Optional({ ...AppId, description: 'Returns only the entry of this sandbox app.' }),
    productionAppId: Type.Optional({ ...AppId, description: 'Returns only the entry of this production app.' }),
  }),
  replies: listReplies('LiveAccessList', LiveAccess, 'A page of live access.', exampleLiveAccess),
  run: ({ actor, tx, paged }, { ids: { appId, productionAppId } }) =>
    paged({
      prefix: 'app',
      load: (after, limit) => listLiveAccessRows(tx, actor.organisationId, { appId, productionAppId, after, limit }),
      toItem: toLiveAccess,
      idOf: (row) => row.app_id,
    }),
});
