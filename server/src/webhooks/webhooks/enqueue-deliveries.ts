// Creates one delivery per subscribed endpoint when an event is written. A delivery that may not be sent is recorded as
// skipped, with the reason.
import type { DeliveryEnqueuer, TenantWriter } from '../../access/authority/index.ts';
import type { EventType } from '../../resources/events/index.ts';
import { authoriseDelivery } from './delivery.ts';
import {
  insertDeliveries,
  listTargets,
  type NewDelivery,
  requiredResourceScope,
  type TargetRow,
} from './enqueue-store.ts';

export function planDelivery(target: TargetRow, newestVersion: number): NewDelivery {
  // Fixed now: every attempt and every redelivery sends the bytes of this version.
  const schemaVersion = Math.min(target.pinned_version, newestVersion);
  const { is_ordered: isOrdered, epoch } = target;
  const ids = { endpointId: target.endpoint_id, keyId: target.key_id, schemaVersion, isOrdered, epoch };
  const judgement = authoriseDelivery(target);
  if (judgement.verdict === 'allow') return { ...ids, status: 'pending', reason: null };
  return { ...ids, status: judgement.verdict === 'hold' ? 'held' : 'skipped', reason: judgement.reason };
}

export async function prepareDeliveries(
  tenant: TenantWriter,
  type: EventType,
  serverId: string | null,
): Promise<DeliveryEnqueuer> {
  const targets = await listTargets(tenant, type, serverId);
  return (event) => {
    const deliveries = targets.map((target) => planDelivery(target, event.schemaVersion));
    const queued = { ...event, serverId, resourceScope: requiredResourceScope(type, serverId) };
    if (deliveries.length > 0) insertDeliveries(tenant, queued, deliveries);
  };
}
