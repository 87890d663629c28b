import { appParams, cursorBinding, managesApp } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { Endpoint, exampleEndpoint, toEndpoint } from './endpoint.ts';
import { listEndpointRows } from './store.ts';

export const listEndpoints = operation({
  id: 'listEndpoints',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/endpoints',
  tag: 'Webhooks',
  summary: 'List endpoints',
  description: "The app's endpoints, newest first, without their signing secrets.",
  access: managesApp('endpoints.read'),
  params: appParams,
  query: closed(listQuery),
  replies: {
    200: {
      description: 'A page of endpoints.',
      schema: named('EndpointList', listOf(Endpoint, 'A page of endpoints.')),
      examples: { aPage: { data: [exampleEndpoint], nextCursor: null } },
    },
  },
  async run({ plane, tenant }, { query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(tenant.appId, 'listEndpoints', query);
    const position = openCursor(query.cursor, binding, plane.cursorKey);
    const after = position === undefined ? undefined : fromId('whe', position);
    const rows = await listEndpointRows(tenant, after, limit + 1);
    const body = toList(rows, limit, toEndpoint, (row) =>
      sealCursor(toId('whe', row.endpoint_id), binding, plane.cursorKey),
    );
    return { status: 200, body };
  },
});
