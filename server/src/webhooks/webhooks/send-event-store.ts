// The SQL that reads an event and the endpoint to which a member sends it.

import type { TenantTransaction } from '../../access/authority/index.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { type EventType, resourceScopeOf, TYPES_WITHOUT_RESOURCE } from '../../resources/events/index.ts';
import { stopEpoch } from './access-change-store.ts';
import { deliveringKeyId } from './endpoint-keys-store.ts';
import type { TargetRow } from './enqueue-store.ts';
import { deliveryAuthority } from './store.ts';

/** An endpoint with its current authority over one event, and that event. */
interface SentEventRow extends TargetRow {
  type: EventType;
  schema_version: number;
  /** The server whose grants the delivery needs; null for an event without a resource. */
  granting_server_id: string | null;
  subject_id: string;
  sequence: number;
  /** True if a delivery of the event to the endpoint has not ended. */
  is_under_way: boolean;
}

// An event with a resource needs the grants of its server.
const HAS_GRANTS = sql`(server_id is not null or type = any(${TYPES_WITHOUT_RESOURCE}::text[]))`;
// A test event belongs to one endpoint.
const IS_SENDABLE = sql`only_endpoint_id is null and ${HAS_GRANTS}`;

/** Returns whether the event is a test event; undefined if the app has no such event. */
export function findEventToSend(tenant: TenantTransaction, eventId: string): Promise<{ is_test: boolean } | undefined> {
  return tenant.first(sql`
    select only_endpoint_id is not null as is_test from events
    where app_id = ${tenant.appId} and event_id = ${eventId} and ${HAS_GRANTS} limit 1`);
}

/** Selects whether a delivery of the event to the endpoint has not ended. */
export const isUnderWay = (tenant: Pick<TenantTransaction, 'appId'>, eventId: Sql, endpointId: Sql): Sql => sql`exists (
  select from deliveries other where other.app_id = ${tenant.appId} and other.event_id = ${eventId}
    and other.endpoint_id = ${endpointId} and other.status in ('pending', 'held'))`;

/**
 * Locks the endpoint until the transaction ends. A request that inserts a delivery only if none is under way takes this
 * lock first, in its own statement: a second request that waited for it then sees the delivery of the first.
 */
export function lockEndpoint(tenant: TenantTransaction, endpointId: Sql): void {
  tenant.send(
    sql`select from endpoints where app_id = ${tenant.appId} and endpoint_id = ${endpointId} for no key update`,
  );
}

/** Locks the endpoint and returns it with the event. Undefined if either does not exist, or for a test event. */
export function lockSentEvent(
  tenant: TenantTransaction,
  eventId: string,
  endpointId: string,
): Promise<SentEventRow | undefined> {
  const { appId } = tenant;
  lockEndpoint(tenant, sql`${endpointId}`);
  return tenant.first(sql`
    select e.endpoint_id, k.key_id, e.is_ordered, coalesce((e.schema_versions ->> ev.type)::int, 1) as pinned_version,
      e.server_ids, e.conditions, ev.type, ev.schema_version, ev.granting_server_id, ev.subject_id, ev.sequence,
      ${isUnderWay(tenant, sql`ev.event_id`, sql`e.endpoint_id`)} as is_under_way,
      ${stopEpoch(tenant)} as epoch,
      ${deliveryAuthority(sql`e.app_id`, sql`ev.granting_server_id`, sql`ev.resource_scope`)}
    from (
      select event_id, type, schema_version, subject_id, sequence, ${resourceScopeOf(sql`type`)} as resource_scope,
        case when type = any(${TYPES_WITHOUT_RESOURCE}::text[]) then null else server_id end as granting_server_id
      from events
      where app_id = ${appId} and event_id = ${eventId} and ${IS_SENDABLE}
      limit 1) ev
    join endpoints e on e.app_id = ${appId} and e.endpoint_id = ${endpointId}
    join keys k on k.app_id = ${appId} and k.key_id = ${deliveringKeyId}
    join apps a on a.app_id = ${appId}`);
}
