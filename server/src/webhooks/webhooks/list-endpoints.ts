import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { Endpoint, exampleEndpoint, toEndpoint } from './endpoint.ts';
import { listEndpointRows } from './store.ts';

export const listEndpoints = operation({
  id: 'listEndpoints',
  route: 'GET /organisations/{organisationId}/apps/{appId}/endpoints',
  tag: 'Webhooks',
  summary: 'List endpoints',
  description: 'Lists the app’s endpoints, newest first, without their signing secrets.',
  access: allowAppManagement('endpoints.read'),
  params: appParams,
  query: strictObject(listQuery),
  replies: listReplies('EndpointList', Endpoint, 'A page of endpoints.', exampleEndpoint),
  run: ({ tenant, paged }) =>
    paged({
      prefix: 'whe',
      load: (after, limit) => listEndpointRows(tenant, after, limit),
      toItem: toEndpoint,
      idOf: (row) => row.endpoint_id,
    }),
});
