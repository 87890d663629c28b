import { managesApp } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { operation } from '../../kit/http/operation.ts';
import { closed, named } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { EventTypeSchema, writeEventFor } from '../../resources/events/index.ts';
import { Delivery, exampleDelivery, toDelivery } from './delivery.ts';
import { endpointParams } from './endpoint.ts';
import { planDelivery } from './enqueue-deliveries.ts';
import { insertDeliveries, listTargets } from './enqueue-store.ts';
import { findDeliveryRow, findEndpointRow } from './store.ts';
import { type ExampleData, testEventOf } from './test-event.ts';

const TestEvent = named(
  'TestEvent',
  closed({ type: EventTypeSchema }, { description: 'A test of an endpoint. It must receive the type.' }),
);

export function sendTestEvent(exampleData: ExampleData) {
  return operation({
    id: 'sendTestEvent',
    method: 'POST',
    path: '/organisations/{organisationId}/apps/{appId}/endpoints/{endpointId}/test',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description:
      'Sends this endpoint, and no other, an example of the type in the version that it is pinned to: signed, retried and recorded like any delivery, with `Slipway-Trigger: test`. Nothing in it exists, and no feed shows it. Answers with the delivery, which is skipped or held, with the reason, where none could be made: by the endpoint, its key or the app; no server has a say in what tells of none.',
    access: managesApp('endpoints.change'),
    params: endpointParams,
    body: TestEvent,
    examples: { aTicket: { type: 'ticket.created' } },
    replies: {
      201: {
        description: 'The delivery.',
        schema: Delivery,
        examples: {
          aTicket: {
            ...exampleDelivery,
            trigger: 'test',
            status: 'pending',
            attemptCount: 0,
            lastStatus: null,
            nextAttemptAt: exampleDelivery.createdAt,
            finishedAt: null,
          },
        },
      },
    },
    async run({ plane, tenant, audit, wakeWorkers }, { ids: { endpointId }, params, body: { type } }) {
      if (!(await findEndpointRow(tenant, endpointId))) throw problem('not_found');
      const [target] = await listTargets(tenant, type, null, endpointId);
      if (!target) {
        const detail = 'is not among the types that the endpoint receives';
        throw problem('invalid_request', { errors: [{ pointer: '/type', detail }] });
      }
      const event = writeEventFor(tenant, plane, endpointId, testEventOf(type, exampleData));
      const planned = planDelivery(target, event.schemaVersion);
      const [deliveryId = ''] = insertDeliveries(
        tenant,
        { ...event, serverId: null, resourceScope: null },
        [planned],
        'test',
      );
      const row = await findDeliveryRow(tenant, deliveryId);
      if (!row) throw new Error('The delivery is not there.');
      const detail = { type, eventId: toId('evt', event.eventId), deliveryId: toId('dlv', deliveryId) };
      audit('endpoint.test', params.endpointId, detail);
      wakeWorkers();
      return { status: 201, body: toDelivery(row) };
    },
  });
}
