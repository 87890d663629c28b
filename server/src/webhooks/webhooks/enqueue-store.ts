// Creates one delivery per subscribed endpoint when an event is written: finds the endpoints, judges each delivery, and
// inserts it. A delivery that may not be sent, or that the filter of its endpoint withholds, is recorded as skipped,
// with the reason.

import type { DeliveryEnqueuer, NewEventContent, TenantReader, TenantWriter } from '../../access/authority/index.ts';
import { newUuid } from '../../kit/crypto/ids.ts';
import { defineItemRead, defineItemWrite } from '../../kit/db/item-statement-store.ts';
import { sql } from '../../kit/db/sql.ts';
import { EVENT_KINDS, type EventType, type ResourceScope } from '../../resources/events/index.ts';
import { stopEpochOf } from './access-change-store.ts';
import {
  authoriseDelivery,
  type Delivery,
  type DeliveryAuthorityRow,
  type DeliveryReason,
  type DeliveryStatus,
} from './delivery.ts';
import { type Condition, isKept } from './endpoint-filter.ts';
import { deliveringKeyId } from './endpoint-keys-store.ts';
import { deliveryAuthority } from './store.ts';

export interface TargetRow extends DeliveryAuthorityRow {
  endpoint_id: string;
  key_id: string;
  pinned_version: number;
  server_ids: string[] | null;
  conditions: Condition[] | null;
  is_ordered: boolean;
  /** The app's count of stops at which this authority was read. */
  epoch: number;
}

interface TargetQuery {
  type: string;
  server_id: string | null;
  resource_scope: string | null;
  only_endpoint_id: string | null;
}

const TARGETS = defineItemRead<TargetQuery, TargetRow>(
  sql`type text, server_id uuid, resource_scope text, only_endpoint_id uuid`,
  (rows) => sql`
    select asked.nth, e.endpoint_id, k.key_id, e.is_ordered,
      coalesce((e.schema_versions ->> asked.type)::int, 1) as pinned_version, e.server_ids, e.conditions,
      ${stopEpochOf(sql`e.app_id`)} as epoch, ${deliveryAuthority(sql`e.app_id`, sql`asked.server_id`, sql`asked.resource_scope`)}
    from (select * from ${rows}) asked
    join endpoints e on e.app_id = asked.app_id and (asked.type = any(e.event_types) or e.receives_all_types)
      and e.endpoint_id = coalesce(asked.only_endpoint_id, e.endpoint_id)
    join keys k on k.app_id = e.app_id and k.key_id = ${deliveringKeyId}
    join apps a on a.app_id = e.app_id`,
);

/** Returns the resource's scope that the server must grant; null for a delivery that no server can hold. */
export const requiredResourceScope = (type: EventType, serverId: string | null): ResourceScope | null =>
  serverId === null ? null : EVENT_KINDS[type].scope;

/**
 * Returns the endpoints that receive an event of this type, with their current authority. With `onlyEndpointId`, only
 * that endpoint.
 */
export function listTargets(
  tenant: TenantReader,
  type: EventType,
  serverId: string | null,
  onlyEndpointId?: string,
): Promise<TargetRow[]> {
  return tenant.each(TARGETS, {
    type,
    server_id: serverId,
    resource_scope: requiredResourceScope(type, serverId),
    only_endpoint_id: onlyEndpointId ?? null,
  });
}

interface NewDelivery {
  endpointId: string;
  keyId: string;
  status: DeliveryStatus;
  reason: DeliveryReason | null;
  schemaVersion: number;
  isOrdered: boolean;
  epoch: number;
  /** True for a held delivery whose event the filter of the endpoint withholds. */
  isFiltered: boolean;
}

interface QueuedEvent {
  eventId: string;
  serverId: string | null;
  resourceScope: ResourceScope | null;
  /**
   * The object of the event, and the event's position among the events of that object; absent for an event without
   * order.
   */
  subject?: { uuid: string; sequence: number };
}

interface NewDeliveryRow {
  delivery_id: string;
  endpoint_id: string;
  event_id: string;
  key_id: string;
  server_id: string | null;
  resource_scope: string | null;
  trigger: Delivery['trigger'];
  status: DeliveryStatus;
  reason: DeliveryReason | null;
  schema_version: number;
  epoch: number;
  is_filtered: boolean | null;
  /** The subject, if the endpoint wants order; otherwise null. */
  subject_id: string | null;
  sequence: number | null;
}

const INSERT_DELIVERY = defineItemWrite<NewDeliveryRow>(
  sql`delivery_id uuid, endpoint_id uuid, event_id uuid, key_id uuid, server_id uuid, resource_scope text, trigger text, status text, reason text,
    schema_version smallint, epoch bigint, is_filtered boolean, subject_id uuid, sequence int`,
  (rows) => sql`
    with asked as materialized (select * from ${rows}),
    made as (
      insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status, reason,
        schema_version, finished_at)
      select app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status, reason, schema_version,
        case when status = 'skipped' then clock_timestamp() end
      from asked)
    insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, resource_scope, trigger, schema_version,
      epoch, is_filtered, state, subject_id, sequence, due_at)
    select app_id, delivery_id, endpoint_id, event_id, key_id, server_id, resource_scope, trigger, schema_version, epoch,
      is_filtered, case status when 'held' then 'held' else 'waiting' end, subject_id, sequence,
      case when exists (
          select from queue earlier
          where earlier.endpoint_id = asked.endpoint_id and earlier.subject_id = asked.subject_id)
        then 'infinity' else clock_timestamp() end
    from asked where status in ('pending', 'held')`,
);

/**
 * Inserts the deliveries. Pending and held ones enter the queue and are due immediately. If the endpoint wants order
 * and an earlier delivery of the subject is queued, a delivery is due when that one has left the queue. Returns the
 * ids.
 */
export function insertDeliveries(
  tenant: TenantWriter,
  { eventId, serverId, resourceScope, subject }: QueuedEvent,
  deliveries: readonly NewDelivery[],
  trigger: Delivery['trigger'] = 'scheduled',
): string[] {
  const rows = deliveries.map((one): NewDeliveryRow => {
    const inOrder = one.isOrdered ? subject : undefined;
    return {
      delivery_id: newUuid(),
      endpoint_id: one.endpointId,
      event_id: eventId,
      key_id: one.keyId,
      server_id: serverId,
      resource_scope: resourceScope,
      trigger,
      status: one.status,
      reason: one.reason,
      schema_version: one.schemaVersion,
      epoch: one.epoch,
      is_filtered: one.isFiltered || null,
      subject_id: inOrder?.uuid ?? null,
      sequence: inOrder?.sequence ?? null,
    };
  });
  tenant.sendEach(INSERT_DELIVERY, rows);
  for (const { endpoint_id, status } of rows) if (status === 'pending') tenant.queuedEndpoints.add(endpoint_id);
  return rows.map((row) => row.delivery_id);
}

/** Plans the delivery of an event. `isWithheld` returns whether the filter withholds the event in a schema version. */
export function planDelivery(
  target: TargetRow,
  newestVersion: number,
  isWithheld: (schemaVersion: number) => boolean = () => false,
): NewDelivery {
  // Fixed now: every attempt and every redelivery sends the bytes of this version.
  const schemaVersion = Math.min(target.pinned_version, newestVersion);
  const { is_ordered: isOrdered, epoch } = target;
  const ids = { endpointId: target.endpoint_id, keyId: target.key_id, schemaVersion, isOrdered, epoch };
  const decision = authoriseDelivery(target);
  // Access is judged first, because the result of the filter reveals content that the app may not be allowed to read.
  if (decision.verdict === 'refuse') return { ...ids, status: 'skipped', reason: decision.reason, isFiltered: false };
  const isFiltered = isWithheld(schemaVersion);
  if (decision.verdict === 'hold') return { ...ids, status: 'held', reason: decision.reason, isFiltered };
  if (isFiltered) return { ...ids, status: 'skipped', reason: 'filtered', isFiltered };
  return { ...ids, status: 'pending', reason: null, isFiltered };
}

/** Returns a function that parses the event in a schema version, once per version. */
function eventReader({ body, older }: NewEventContent): (schemaVersion: number) => unknown {
  const read = new Map<string, unknown>();
  return (schemaVersion) => {
    const text = older[schemaVersion - 1] ?? body;
    if (!read.has(text)) read.set(text, JSON.parse(text));
    return read.get(text);
  };
}

/** Implements `Deliveries.prepare`. */
export async function prepareDeliveries(
  tenant: TenantWriter,
  { type, serverId }: { type: EventType; serverId: string | null },
): Promise<DeliveryEnqueuer> {
  // An event without a resource depends on no grant of a server.
  const grantingServerId = EVENT_KINDS[type].scope === null ? null : serverId;
  const targets = await listTargets(tenant, type, grantingServerId);
  return (event) => {
    if (targets.length === 0) return;
    const readEvent = eventReader(event);
    const deliveries = targets.map((target) =>
      planDelivery(target, event.schemaVersion, (schemaVersion) => {
        const filter = { serverIds: target.server_ids, conditions: target.conditions };
        return !isKept(filter, event.serverId, () => readEvent(schemaVersion));
      }),
    );
    const resourceScope = requiredResourceScope(type, grantingServerId);
    insertDeliveries(tenant, { ...event, serverId: grantingServerId, resourceScope }, deliveries);
  };
}
