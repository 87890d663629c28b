import { appParams, cursorBinding, managesApp } from '../../access/authority/index.ts';
import { fromId, toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { DEFAULT_LIMIT, listOf, listQuery, openCursor, sealCursor, toList } from '../../kit/http/page.ts';
import { closed, named, oneOf, Type } from '../../kit/http/schema.ts';
import { DELIVERY_STATUSES, Delivery, exampleDelivery, RedeliveryId, toDelivery } from './delivery.ts';
import { EndpointId } from './endpoint.ts';
import { listDeliveryRows } from './store.ts';

export const listDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: '/organisations/{organisationId}/apps/{appId}/deliveries',
  tag: 'Webhooks',
  summary: 'List deliveries',
  description: "The app's deliveries, newest first, also those that were skipped or cancelled, with the reason.",
  access: managesApp('deliveries.read'),
  params: appParams,
  query: closed({
    ...listQuery,
    endpointId: Type.Optional(EndpointId),
    status: Type.Optional(oneOf(DELIVERY_STATUSES, 'Only deliveries in this status.')),
    redeliveryId: Type.Optional(RedeliveryId),
  }),
  replies: {
    200: {
      description: 'A page of deliveries.',
      schema: named('DeliveryList', listOf(Delivery, 'A page of deliveries.')),
      examples: { aPage: { data: [exampleDelivery], nextCursor: null } },
    },
  },
  async run({ plane, tenant }, { ids: { endpointId, redeliveryId }, query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const binding = cursorBinding(tenant.appId, 'listDeliveries', query);
    const position = openCursor(query.cursor, binding, plane.cursorKey);
    const after = position === undefined ? undefined : fromId('dlv', position);
    const filter = { endpointId, status: query.status, redeliveryId };
    const rows = await listDeliveryRows(tenant, filter, after, limit + 1);
    const body = toList(rows, limit, toDelivery, (row) =>
      sealCursor(toId('dlv', row.delivery_id), binding, plane.cursorKey),
    );
    return { status: 200, body };
  },
});
