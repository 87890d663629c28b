import { allowAppManagement } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { Endpoint, endpointParams, exampleEndpoint, toEndpoint } from './endpoint.ts';
import { findEndpointRow } from './store.ts';

export const getEndpoint = operation({
  id: 'getEndpoint',
  route: 'GET /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}',
  tag: 'Webhooks',
  summary: 'Get an endpoint',
  description: 'Returns an endpoint, without its signing secret and without the values of its headers.',
  access: allowAppManagement('endpoints.read'),
  params: endpointParams,
  replies: ok('The endpoint.', Endpoint, { anEndpoint: exampleEndpoint }),
  async run({ tenant }, { ids }) {
    const row = await findEndpointRow(tenant, ids.endpointId);
    if (!row) throw problem('not_found');
    return { status: 200, body: toEndpoint(row) };
  },
});
