import { allowAppManagement, appParams } from '../../access/authority/index.ts';
import { firstUuidAt } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { listQuery, listReplies } from '../../kit/http/page.ts';
import { dateTime, oneOf, strictObject, Type } from '../../kit/http/schema.ts';
import { parseTime } from '../../kit/text/time-span.ts';
import { EventId, EventTypeSchema } from '../../resources/events/index.ts';
import { DELIVERY_STATUSES, Delivery, exampleDelivery, RedeliveryId, toDelivery } from './delivery.ts';
import { EndpointId } from './endpoint.ts';
import { listDeliveryRows } from './store.ts';

export const listDeliveries = operation({
  id: 'listDeliveries',
  route: 'GET /organisations/{organisationId}/apps/{appId}/deliveries',
  tag: 'Webhooks',
  summary: 'List deliveries',
  description:
    'Lists the app’s deliveries, newest first. Skipped and cancelled deliveries are included, with the reason. With `status` or `eventType`, a page examines a bounded number of deliveries (with the status `failing`, of deliveries that have not ended): while `nextCursor` is set, continue to read, even if a page is empty.',
  access: allowAppManagement('deliveries.read'),
  params: appParams,
  query: strictObject({
    ...listQuery,
    endpointId: Type.Optional(EndpointId),
    status: Type.Optional(
      oneOf(
        [...DELIVERY_STATUSES, 'failing'],
        'Only deliveries in this status. `failing` selects the pending deliveries with a failed attempt.',
      ),
    ),
    redeliveryId: Type.Optional(RedeliveryId),
    eventType: Type.Optional({ ...EventTypeSchema, description: 'Only deliveries of events of this type.' }),
    eventId: Type.Optional({ ...EventId, description: 'Only deliveries of this event.' }),
    since: Type.Optional(dateTime('Only deliveries that were created at or after this time.')),
    until: Type.Optional(dateTime('Only deliveries that were created before this time.')),
  }),
  replies: listReplies('DeliveryList', Delivery, 'A page of deliveries.', exampleDelivery),
  run: (
    { tenant, paged },
    { ids: { endpointId, redeliveryId, eventId }, query: { status, eventType, since, until } },
  ) => {
    const filter = {
      ...{ endpointId, status, redeliveryId, eventId, eventType },
      from: since === undefined ? undefined : firstUuidAt(parseTime('since', since)),
      before: until === undefined ? undefined : firstUuidAt(parseTime('until', until)),
    };
    return paged({
      prefix: 'dlv',
      load: (after, limit) => listDeliveryRows(tenant, filter, after, limit),
      toItem: toDelivery,
      idOf: (row) => row.delivery_id,
    });
  },
});
