import { allowAppManagement, type ManagedAppContext } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { created, ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { Delivery, deliveryParams, exampleDelivery, readDelivery } from '../webhooks/index.ts';
import { insertRedeliveries, lockOriginal } from './deliveries-store.ts';
import { planRedelivery } from './plan-redelivery.ts';
import { lockQueued, makeDueNow, type QueuedRow } from './queued-store.ts';

const waitingExample = {
  ...exampleDelivery,
  status: 'pending',
  lastStatus: 503,
  nextAttemptAt: '2026-11-02T11:00:00.000Z',
  finishedAt: null,
};

export const redeliverDelivery = operation({
  id: 'redeliverDelivery',
  route: 'POST /organisations/{organisationId}/apps/{appId}/deliveries/{deliveryId}/redeliver',
  tag: 'Webhooks',
  summary: 'Redeliver a delivery',
  description:
    'Sends one event to one endpoint now. If the delivery waits for an attempt, that attempt becomes due now: the delivery keeps its identifier and its remaining attempts, and the rate and order of its endpoint still apply. If the delivery has ended with any status, a new delivery is created, which is due immediately. Each request has the same event identifier and the same bytes, in the schema version that was first sent, and a new timestamp and signature. A new delivery is held if the app is suspended, or if the installation or the scope is paused. The redelivery of a test event is a test event too. Refused with `conflict`: a delivery that is held, that is being sent, or that waits for an earlier event of its subject, and a redelivery that is not allowed now.',
  access: allowAppManagement('deliveries.redeliver'),
  params: deliveryParams,
  replies: {
    ...ok('The same delivery, which waited. Its next attempt is due now.', Delivery, { dueNow: waitingExample }),
    ...created('The new delivery.', Delivery, {
      onItsWay: {
        ...waitingExample,
        id: 'dlv_01j9z3v8k6e5t8m2n4p6q8r0se',
        trigger: 'manual',
        attemptCount: 0,
        lastStatus: null,
        createdAt: '2026-11-02T11:00:00.000Z',
        redeliveryOf: exampleDelivery.id,
      },
    }),
  },
  problems: ['conflict'],
  async run(context, { ids: { deliveryId }, params }) {
    const { tenant, audit, wakeWorkers } = context;
    // The queue row first: a worker that records an attempt locks it before the delivery.
    const queued = await lockQueued(tenant, deliveryId);
    if (queued) {
      requireWaiting(queued);
      await makeDueNow(tenant, deliveryId);
      audit('delivery.redeliver', params.deliveryId, { wasDueAt: queued.due_at?.toISOString() ?? null });
      wakeWorkers();
      return { status: 200, body: await readDelivery(tenant, deliveryId) };
    }
    const madeId = await redeliverEnded(context, deliveryId);
    audit('delivery.redeliver', params.deliveryId, { redeliveredAs: toId('dlv', madeId) });
    wakeWorkers();
    return { status: 201, body: await readDelivery(tenant, madeId) };
  },
});

/** Refuses a delivery whose next attempt cannot be moved. */
function requireWaiting({ state, reason, due_at, earlier_event_id }: QueuedRow): void {
  if (state === 'in_flight') throw problem('conflict', { detail: 'An attempt of the delivery is in flight.' });
  if (state === 'held') {
    throw problem('conflict', {
      detail: `The delivery is held: ${reason}. The delivery continues when that cause ends.`,
    });
  }
  if (due_at === null) {
    const earlier = earlier_event_id === null ? 'an earlier event' : toId('evt', earlier_event_id);
    throw problem('conflict', {
      detail: `The endpoint keeps the order of the subject: ${earlier} is delivered first.`,
    });
  }
}

/** Inserts a new delivery for one that has ended, and returns its uuid. */
async function redeliverEnded({ tenant }: ManagedAppContext, deliveryId: string): Promise<string> {
  const original = await lockOriginal(tenant, deliveryId);
  if (!original) throw problem('not_found');
  if (original.is_under_way) {
    throw problem('conflict', { detail: 'A delivery of the event to this endpoint has not ended yet.' });
  }
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
  return madeId;
}
