import { AppId, cursorBinding, organisationParams } from '../../access/authority/index.ts';
import { memberReads } from '../../identity/sessions/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named, Type } from '../../kit/http/schema.ts';
import { exampleRequest, LiveAccessRequest, toRequest } from './shown.ts';
import { listRequestRows } from './store.ts';

export const listLiveAccessRequests = operation({
  id: 'listLiveAccessRequests',
  method: 'GET',
  path: '/api/organisations/{organisationId}/live-access-requests',
  tag: 'Live access',
  summary: 'List requests for live access',
  description: 'The requests of the organisation, newest first: of all its apps, or of one.',
  access: memberReads('live_access.read'),
  params: organisationParams,
  query: closed({ ...listQuery, appId: Type.Optional({ ...AppId, description: 'Only of this app of the sandbox.' }) }),
  replies: {
    200: {
      description: 'A page of requests.',
      schema: named('LiveAccessRequestList', listOf(LiveAccessRequest, 'A page of requests for live access.')),
      examples: { aPage: { data: [exampleRequest], nextCursor: null } },
    },
  },
  async run({ services, actor, tx }, { ids: { appId }, query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(actor.organisationId, 'listLiveAccessRequests', query);
    const position = openCursor(query.cursor, binding, services.cursorKey);
    const after = position === undefined ? undefined : fromId('lar', position);
    const rows = await listRequestRows(tx, actor.organisationId, { appId, after, limit: limit + 1 });
    const seal = (row: { request_id: string }): string =>
      sealCursor(toId('lar', row.request_id), binding, services.cursorKey);
    return { status: 200, body: toList(rows, limit, toRequest, seal) };
  },
});
