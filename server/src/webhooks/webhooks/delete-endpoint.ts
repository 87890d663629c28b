import { allowAppManagement } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { cancelDeliveriesOfEndpoint, incrementStopEpoch } from './access-change-store.ts';
import { endpointParams } from './endpoint.ts';
import { deleteEndpointRow } from './store.ts';

export const deleteEndpoint = operation({
  id: 'deleteEndpoint',
  route: 'DELETE /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}',
  tag: 'Webhooks',
  summary: 'Delete an endpoint',
  description:
    'Deletes the endpoint and cancels its waiting deliveries. After this call returns, no new request to the endpoint begins. The record of its deliveries is kept.',
  access: allowAppManagement('endpoints.change'),
  params: endpointParams,
  replies: { 204: { description: 'The endpoint is deleted.' } },
  async run({ tenant, audit, cancelInFlight }, { ids: { endpointId }, params }) {
    if (!(await deleteEndpointRow(tenant, endpointId))) throw problem('not_found');
    incrementStopEpoch(tenant);
    const cancelled = await cancelDeliveriesOfEndpoint(tenant, endpointId, 'endpoint_deleted');
    cancelInFlight({ keyId: null, serverId: null, endpointId });
    audit('endpoint.delete', params.endpointId, { cancelled });
    return { status: 204 };
  },
});
