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
import type { HandOff, Reservation } from './hand-off.ts';
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

interface FoundTargetRow extends TargetRow {
  /** Milliseconds for which the key is valid. */
  key_life_ms: number;
  /** The transaction that wrote the endpoint's row: it differs after each change of a setting. */
  endpoint_version: string;
  /** True if a hand-off is wanted and no delivery to the endpoint is due. */
  is_idle: boolean;
}

interface TargetQuery {
  type: string;
  server_id: string | null;
  resource_scope: string | null;
  only_endpoint_id: string | null;
  wants_idle: boolean;
}

// The look-up of a due delivery is a scalar subquery, because the planner may hash all due deliveries for `exists`.
const TARGETS = defineItemRead<TargetQuery, FoundTargetRow>(
  sql`type text, server_id uuid, resource_scope text, only_endpoint_id uuid, wants_idle boolean`,
  (rows) => sql`
    select asked.nth, e.endpoint_id, k.key_id, e.is_ordered, e.xmin::text as endpoint_version,
      (extract(epoch from least(k.expires_at, k.ends_at) - clock_timestamp()) * 1000)::float8 as key_life_ms,
      asked.wants_idle and (
        select true from queue q where q.app_id = e.app_id and q.endpoint_id = e.endpoint_id and q.state = 'waiting'
          and q.due_at <= statement_timestamp() limit 1) is null as is_idle,
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
 * that endpoint. With `wantsIdle`, also whether each endpoint is idle.
 */
export function listTargets(
  tenant: TenantReader,
  type: EventType,
  serverId: string | null,
  onlyEndpointId?: string,
  wantsIdle = false,
): Promise<FoundTargetRow[]> {
  return tenant.each(TARGETS, {
    type,
    server_id: serverId,
    resource_scope: requiredResourceScope(type, serverId),
    only_endpoint_id: onlyEndpointId ?? null,
    wants_idle: wantsIdle,
  });
}

/**
 * Takes the claim lock of the app in shared mode until the transaction ends, like a claim. A stop that comes before the
 * commit then asks all workers, because it cannot see the handed-off delivery yet. A separate statement: the statement
 * that judges needs a newer snapshot. Never waits.
 */
const TRY_CLAIMS_LOCK = defineItemRead<object, { is_held: boolean }>(
  sql`n int`,
  (rows) => sql`select nth, pg_try_advisory_xact_lock_shared(claims_lock(app_id)) as is_held from ${rows}`,
);

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
  /** Reserves a slot for the delivery in this process; absent unless it may be handed off. */
  reserve?(row: NewDeliveryRow): Reservation | undefined;
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
  /** The worker of this process that has reserved a slot for the delivery; null if a claim takes the delivery. */
  worker_id: string | null;
}

const INSERT_DELIVERY = defineItemWrite<NewDeliveryRow, { delivery_id: string; body: string }>(
  sql`delivery_id uuid, endpoint_id uuid, event_id uuid, key_id uuid, server_id uuid, resource_scope text, trigger text, status text, reason text,
    schema_version smallint, epoch bigint, is_filtered boolean, subject_id uuid, sequence int, worker_id uuid`,
  (rows) => sql`
    with asked as materialized (select * from ${rows}),
    made as (
      insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status, reason,
        schema_version, finished_at)
      select app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status, reason, schema_version,
        case when status = 'skipped' then clock_timestamp() end
      from asked),
    queued as (
      insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, resource_scope, trigger, schema_version,
        epoch, is_filtered, state, subject_id, sequence, worker_id, attempt_no, claimed_at, due_at)
      select app_id, delivery_id, endpoint_id, event_id, key_id, server_id, resource_scope, trigger, schema_version, epoch,
        is_filtered, case when worker_id is not null then 'in_flight' when status = 'held' then 'held' else 'waiting' end,
        subject_id, sequence, worker_id, case when worker_id is null then 0 else 1 end,
        case when worker_id is not null then clock_timestamp() end,
        case when exists (
            select from queue earlier
            where earlier.endpoint_id = asked.endpoint_id and earlier.subject_id = asked.subject_id)
          then 'infinity' else clock_timestamp() end
      from asked where status in ('pending', 'held'))
    select asked.nth, asked.delivery_id, ev.body
    from asked cross join lateral (
      select coalesce(older_bodies[asked.schema_version], body) as body from events
      where app_id = asked.app_id and event_id = asked.event_id limit 1) ev
    where asked.worker_id is not null`,
);

/** Begins the reserved attempts after the commit. Without a commit, gives the slots back. */
async function beginCommitted(
  written: Promise<{ delivery_id: string; body: string }[] | undefined>,
  reservations: Map<string, Reservation>,
): Promise<void> {
  for (const { delivery_id, body } of (await written) ?? []) {
    reservations.get(delivery_id)?.begin(body);
    reservations.delete(delivery_id);
  }
  for (const reservation of reservations.values()) reservation.release();
}

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
      worker_id: null,
    };
  });
  const reservations = new Map<string, Reservation>();
  for (const [index, row] of rows.entries()) {
    const reservation = deliveries[index]?.reserve?.(row);
    if (reservation) reservations.set(row.delivery_id, reservation);
    row.worker_id = reservation?.workerId ?? null;
  }
  if (tenant.sendForOutcome && reservations.size > 0)
    void beginCommitted(tenant.sendForOutcome(INSERT_DELIVERY, rows), reservations);
  else tenant.sendEach(INSERT_DELIVERY, rows);
  for (const { endpoint_id, status, worker_id } of rows)
    if (status === 'pending' && worker_id === null) tenant.queuedEndpoints.add(endpoint_id);
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

/** Creates the implementation of `Deliveries.prepare`. */
export const createDeliveryPreparer =
  (handOff: HandOff) =>
  async (
    tenant: TenantWriter,
    { type, serverId }: { type: EventType; serverId: string | null },
  ): Promise<DeliveryEnqueuer> => {
    // An event without a resource depends on no grant of a server.
    const grantingServerId = EVENT_KINDS[type].scope === null ? null : serverId;
    const reserve = tenant.sendForOutcome && handOff.open();
    const [locks, targets] = await Promise.all([
      reserve ? tenant.each(TRY_CLAIMS_LOCK, {}) : [],
      listTargets(tenant, type, grantingServerId, undefined, reserve !== undefined),
    ]);
    const isLocked = locks[0]?.is_held === true;
    return (event) => {
      if (targets.length === 0) return;
      const readEvent = eventReader(event);
      const deliveries = targets.map((target): NewDelivery => {
        const planned = planDelivery(target, event.schemaVersion, (schemaVersion) => {
          const filter = { serverIds: target.server_ids, conditions: target.conditions };
          return !isKept(filter, event.serverId, () => readEvent(schemaVersion));
        });
        const isOffered = isLocked && target.is_idle && !target.is_ordered && planned.status === 'pending';
        if (!reserve || !isOffered) return planned;
        const { key_life_ms, endpoint_version } = target;
        const offered = { app_id: tenant.appId, key_life_ms, endpoint_version };
        return { ...planned, reserve: (row) => reserve({ ...row, ...offered }) };
      });
      const resourceScope = requiredResourceScope(type, grantingServerId);
      insertDeliveries(tenant, { ...event, serverId: grantingServerId, resourceScope }, deliveries);
    };
  };
