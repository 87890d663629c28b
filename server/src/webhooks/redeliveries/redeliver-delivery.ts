import { allowAppManagement } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { created, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { Delivery, deliveryParams, exampleDelivery, findDeliveryRow, toDelivery } from '../webhooks/index.ts';
import { insertRedeliveries, lockOriginal } from './deliveries-store.ts';
import { planRedelivery } from './plan-redelivery.ts';

export const redeliverDelivery = operation({
  id: 'redeliverDelivery',
  route: 'POST /organisations/{organisationId}/apps/{appId}/deliveries/{deliveryId}/redeliver',
  tag: 'Webhooks',
  summary: 'Redeliver a delivery',
  description:
    'Sends one event to one endpoint again, however the delivery ended. The new request has the same event identifier and the same bytes, in the schema version that was first sent, and a new timestamp and signature. It is a new delivery that is due immediately. It is held if the app or the server is paused. The redelivery of a test event is a test event too. A redelivery that is not allowed now is refused.',
  access: allowAppManagement('deliveries.redeliver'),
  params: deliveryParams,
  replies: created('The new delivery.', Delivery, {
    onItsWay: {
      ...exampleDelivery,
      id: 'dlv_01j9z3v8k6e5t8m2n4p6q8r0se',
      trigger: 'manual',
      status: 'pending',
      attemptCount: 0,
      lastStatus: null,
      nextAttemptAt: '2026-11-02T11:00:00.000Z',
      createdAt: '2026-11-02T11:00:00.000Z',
      finishedAt: null,
      redeliveryOf: exampleDelivery.id,
    },
  }),
  problems: ['conflict'],
  async run({ tenant, audit, wakeWorkers }, { ids, params }) {
    const original = await lockOriginal(tenant, ids.deliveryId);
    if (!original) throw problem('not_found');
    if (original.is_under_way)
      throw problem('conflict', { detail: 'The delivery, or a redelivery of it, has not ended yet.' });
    const plan = planRedelivery(original);
    if (plan.reason === 'event_expired') {
      throw problem('conflict', { detail: 'The event is past its retention period, so its body is no longer stored.' });
    }
    if (plan.status === 'skipped') {
      throw problem('conflict', { detail: `The delivery is not allowed now: ${plan.reason}.` });
    }
    const [madeId = ''] = await insertRedeliveries(tenant, [{ ...original, ...plan }], {
      // A redelivered test event keeps its mark. Otherwise a receiver would take it for a real event.
      trigger: original.trigger === 'test' ? 'test' : 'manual',
      redeliveryId: null,
    });
    const row = await findDeliveryRow(tenant, madeId);
    if (!row) throw new Error('The delivery that was just inserted was not found.');
    audit('delivery.redeliver', params.deliveryId, { redeliveredAs: toId('dlv', madeId) });
    wakeWorkers();
    return { status: 201, body: toDelivery(row) };
  },
});
