import { allowAppManagement } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { namedObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { EventTypeSchema, writeEvent } from '../../resources/events/index.ts';
import { Delivery, exampleDelivery } from './delivery.ts';
import { endpointParams } from './endpoint.ts';
import { insertDeliveries, listTargets, planDelivery } from './enqueue-store.ts';
import { findEndpointRow, readDelivery } from './store.ts';
import { buildTestEvent, type ExampleData } from './test-event.ts';

const TestEvent = namedObject('TestEvent', 'A test event to send. The endpoint must receive its type.', {
  type: EventTypeSchema,
});

export function sendTestEvent(exampleData: ExampleData) {
  return operation({
    id: 'sendTestEvent',
    route: 'POST /organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/test',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description:
      'Sends an example of the event type to this endpoint only, in the pinned schema version. The delivery is signed, retried and recorded like any other, with `Slipway-Trigger: test`. The event refers to nothing that exists, and it appears in no feed. Returns the delivery. If the state of the endpoint, its key or the app does not allow the delivery, it is skipped or held, with the reason. No server’s authorisation is checked, because the event belongs to no server.',
    access: allowAppManagement('endpoints.change'),
    params: endpointParams,
    body: TestEvent,
    examples: { aTicket: { type: 'ticket.created' } },
    replies: created('The delivery.', Delivery, {
      aTicket: {
        ...exampleDelivery,
        trigger: 'test',
        status: 'pending',
        attemptCount: 0,
        lastStatus: null,
        nextAttemptAt: exampleDelivery.createdAt,
        finishedAt: null,
      },
    }),
    async run({ plane, tenant, audit, wakeWorkers }, { ids: { endpointId }, params, body: { type } }) {
      if (!(await findEndpointRow(tenant, endpointId))) throw problem('not_found');
      const [target] = await listTargets(tenant, type, null, endpointId);
      if (!target) {
        const detail = 'must be a type that the endpoint receives';
        throw problem('invalid_request', { errors: [{ pointer: '/type', detail }] });
      }
      const event = writeEvent(tenant, plane, buildTestEvent(type, exampleData), endpointId);
      const planned = planDelivery(target, event.schemaVersion);
      const [deliveryId = ''] = insertDeliveries(
        tenant,
        { ...event, serverId: null, resourceScope: null },
        [planned],
        'test',
      );
      const detail = { type, eventId: toId('evt', event.eventId), deliveryId: toId('dlv', deliveryId) };
      audit('endpoint.test', params.endpointId, detail);
      wakeWorkers();
      return { status: 201, body: await readDelivery(tenant, deliveryId) };
    },
  });
}
