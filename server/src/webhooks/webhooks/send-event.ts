import { AppId, allowAppManagement, OrganisationId } from '../../access/authority/index.ts';
import { toId, toUuid } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { namedObject, strictObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { EventId } from '../../resources/events/index.ts';
import { Delivery, exampleDelivery } from './delivery.ts';
import { EndpointId } from './endpoint.ts';
import { insertDeliveries, planDelivery, requiredResourceScope } from './enqueue-store.ts';
import { findEventToSend, lockSentEvent } from './send-event-store.ts';
import { findEndpointRow, readDelivery } from './store.ts';

const EventDeliveryInput = namedObject('EventDeliveryInput', 'The endpoint to which an event is sent.', {
  endpointId: EndpointId,
});

export const sendEvent = operation({
  id: 'sendEvent',
  route: 'POST /organisations/{organisationId}/apps/{appId}/events/{eventId}/deliveries',
  tag: 'Webhooks',
  summary: 'Send an event to an endpoint',
  description:
    'Creates a delivery of the event to the endpoint, which is due immediately. The endpoint also receives an event of a type that it does not select, an event that its filter withholds, and an event that is older than the endpoint. The delivery has the schema version to which the endpoint is pinned. The rate of the endpoint and the order of the subject apply. Access is judged as for a redelivery: the delivery is held if the app is suspended, or if the installation or the scope is paused. Refused with `conflict`: a test event, an event whose earlier delivery to the endpoint has not ended, and a delivery that is not allowed now.',
  access: allowAppManagement('deliveries.redeliver'),
  params: strictObject({ organisationId: OrganisationId, appId: AppId, eventId: EventId }),
  body: EventDeliveryInput,
  examples: { toAnEndpoint: { endpointId: exampleDelivery.endpointId } },
  replies: created('The delivery.', Delivery, {
    onItsWay: {
      ...exampleDelivery,
      trigger: 'manual',
      status: 'pending',
      attemptCount: 0,
      lastStatus: null,
      nextAttemptAt: exampleDelivery.createdAt,
      finishedAt: null,
    },
  }),
  problems: ['conflict'],
  async run({ tenant, audit, wakeWorkers }, { ids: { eventId }, params, body }) {
    const endpointId = toUuid('whe', body.endpointId);
    const event = await findEventToSend(tenant, eventId);
    if (!event) throw problem('not_found');
    if (event.is_test) {
      const detail = 'A test event belongs to one endpoint. Redeliver its delivery, or send a new test event.';
      throw problem('conflict', { detail });
    }
    if (!(await findEndpointRow(tenant, endpointId))) {
      const detail = 'must be an endpoint of this app';
      throw problem('invalid_request', { errors: [{ pointer: '/endpointId', detail }] });
    }
    const target = await lockSentEvent(tenant, eventId, endpointId);
    if (!target) throw problem('not_found');
    if (target.is_under_way) {
      throw problem('conflict', { detail: 'A delivery of the event to this endpoint has not ended yet.' });
    }
    const planned = planDelivery(target, target.schema_version);
    if (planned.status === 'skipped') {
      throw problem('conflict', { detail: `The delivery is not allowed now: ${planned.reason}.` });
    }
    const { type, granting_server_id: serverId, subject_id, sequence } = target;
    const resourceScope = requiredResourceScope(type, serverId);
    const subject = { uuid: subject_id, sequence };
    const [deliveryId = ''] = insertDeliveries(
      tenant,
      { eventId, serverId, resourceScope, subject },
      [planned],
      'manual',
    );
    audit('event.send', params.eventId, { endpointId: body.endpointId, deliveryId: toId('dlv', deliveryId) });
    wakeWorkers();
    return { status: 201, body: await readDelivery(tenant, deliveryId) };
  },
});
