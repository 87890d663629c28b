import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { oneOf, strictObject, Type } from '../../kit/http/schema.ts';
import { DELIVERY_STATUSES, Delivery, exampleDelivery, RedeliveryId, toDelivery } from './delivery.ts';
import { EndpointId } from './endpoint.ts';
import { listDeliveryRows } from './store.ts';

export const listDeliveries = operation({
  id: 'listDeliveries',
  route: 'GET /organisations/{organisationId}/apps/{appId}/deliveries',
  tag: 'Webhooks',
  summary: 'List deliveries',
  description:
    'Lists the app’s deliveries, newest first. Skipped and cancelled deliveries are included, with the reason.',
  access: allowAppManagement('deliveries.read'),
  params: appParams,
  query: strictObject({
    ...listQuery,
    endpointId: Type.Optional(EndpointId),
    status: Type.Optional(oneOf(DELIVERY_STATUSES, 'Only deliveries in this status.')),
    redeliveryId: Type.Optional(RedeliveryId),
  }),
  replies: listReplies('DeliveryList', Delivery, 'A page of deliveries.', exampleDelivery),
  run: ({ tenant, paged }, { ids: { endpointId, redeliveryId }, query: { status } }) =>
    paged({
      prefix: 'dlv',
      load: (after, limit) => listDeliveryRows(tenant, { endpointId, status, redeliveryId }, after, limit),
      toItem: toDelivery,
      idOf: (row) => row.delivery_id,
    }),
});
