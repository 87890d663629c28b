// The SQL of endpoints and deliveries for the operations of members. dispatch/claim/claim-store.ts contains the SQL of
// claims.

import { type BoundedRows, currentGrant, currentInstallation, type Tenant } from '../../access/authority/index.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { bodyInVersion } from '../../resources/events/index.ts';
import type { AttemptRow } from './attempt.ts';
import { couldReachReceiver, isBodyGranted } from './body-access-store.ts';
import { type Delivery, type DeliveryRow, type DeliveryStatus, toDelivery } from './delivery.ts';
import type { EndpointRow } from './endpoint.ts';
import type { EndpointSettings } from './endpoint-change.ts';
import type { Condition } from './endpoint-filter.ts';
import {
  DELIVERY_KEY_STATE,
  deliveringKeyId,
  endpointKeyIds,
  IS_DELIVERY_KEY_EXPIRED,
  keysEndAt,
} from './endpoint-keys-store.ts';

/** Selects whether key k of app a may read events. */
const READS_EVENTS: Sql = sql`'events:read' = any(k.scopes) and 'events:read' = any(a.approved_scopes)`;

const ENDPOINT: Sql = sql`e.endpoint_id, e.url, k.key_id, ${endpointKeyIds} as key_ids, ${keysEndAt} as keys_end_at, k.kid, ${DELIVERY_KEY_STATE} as key_state,
  ${IS_DELIVERY_KEY_EXPIRED} as is_key_expired, ${READS_EVENTS} as has_scope, e.event_types, e.receives_all_types,
  e.server_ids, e.conditions, e.schema_versions,
  e.description, e.header_names, e.rate_per_second, e.is_ordered, e.schedule_speed, e.state, e.disabled_reason,
  e.secret_rotated_at, e.previous_secret_ends_at,
  e.created_by, e.created_at,
  h.last_success_at, h.last_failure_at, h.failing_since, h.consecutive_failures, h.recent
  from endpoints e join keys k on k.app_id = e.app_id and k.key_id = ${deliveringKeyId} join apps a on a.app_id = e.app_id
  join endpoint_health h on h.app_id = e.app_id and h.endpoint_id = e.endpoint_id`;

export function listEndpointRows(tenant: Tenant, after: string | undefined, limit: number): Promise<EndpointRow[]> {
  const beyond = after === undefined ? sql`` : sql`and e.endpoint_id < ${after}`;
  return tenant.query(
    sql`select ${ENDPOINT} where e.app_id = ${tenant.appId} ${beyond} order by e.endpoint_id desc limit ${limit}`,
  );
}

export function findEndpointRow(tenant: Tenant, endpointId: string): Promise<EndpointRow | undefined> {
  return tenant.first(sql`select ${ENDPOINT} where e.app_id = ${tenant.appId} and e.endpoint_id = ${endpointId}`);
}

/** Returns conditions as they are stored: null for none, so that a delivery costs nothing more. */
export const toJson = (conditions: readonly Condition[] | null): string | null =>
  conditions === null || conditions.length === 0 ? null : JSON.stringify(conditions);

export interface NewEndpointRow extends Omit<EndpointSettings, 'state' | 'disabledReason'> {
  endpointId: string;
  sealedSecret: Buffer;
  sealedHeaders: Buffer | null;
  headerNames: readonly string[];
  createdBy: string;
}

/**
 * Counts the app's endpoints. Locks the app's row until the transaction ends, so concurrent requests cannot exceed the
 * quota.
 */
export async function countEndpoints(tenant: Tenant): Promise<number> {
  await tenant.query(sql`select from apps where app_id = ${tenant.appId} for no key update`);
  const rows = await tenant.query<{ count: number }>(
    sql`select count(*)::int as count from endpoints where app_id = ${tenant.appId}`,
  );
  return rows[0]?.count ?? 0;
}

/** Returns the keys after the first as they are stored: null for none, so that a claim looks up no further key. */
export const furtherKeyIds = ([, ...further]: readonly string[]): readonly string[] | null =>
  further.length === 0 ? null : further;

/** Inserts an endpoint. Returns false if the app has no such key. */
export async function insertEndpoint(tenant: Tenant, endpoint: NewEndpointRow): Promise<boolean> {
  const rows = await tenant.query(sql`
    insert into endpoints (app_id, endpoint_id, key_id, further_key_ids, url, description, event_types, receives_all_types, server_ids,
      conditions, schema_versions, sealed_secret,
      sealed_headers, header_names, rate_per_second, is_ordered, schedule_speed, created_by)
    select ${tenant.appId}, ${endpoint.endpointId}, key_id, ${furtherKeyIds(endpoint.keyIds)}::uuid[], ${endpoint.url}, ${endpoint.description},
      ${endpoint.eventTypes}::text[], ${endpoint.receivesAllTypes}, ${endpoint.serverIds}::uuid[],
      ${toJson(endpoint.conditions)}::jsonb, ${JSON.stringify(endpoint.schemaVersions)}::jsonb, ${endpoint.sealedSecret},
      ${endpoint.sealedHeaders}, ${endpoint.headerNames}::text[], ${endpoint.ratePerSecond}, ${endpoint.isOrdered},
      ${endpoint.scheduleSpeed}, ${endpoint.createdBy}
    from keys where app_id = ${tenant.appId} and key_id = ${endpoint.keyIds[0]}
    returning endpoint_id`);
  return rows.length === 1;
}

/** Returns the given servers on which the app was never installed. */
export async function listUnknownServers(tenant: Tenant, serverIds: readonly string[]): Promise<string[]> {
  const rows = await tenant.query<{ server_id: string }>(sql`
    select named.server_id from unnest(${serverIds}::uuid[]) as named (server_id)
    where not exists (
      select from installations i where i.app_id = ${tenant.appId} and i.server_id = named.server_id)`);
  return rows.map((row) => row.server_id);
}

export async function updateEndpointUrl(tenant: Tenant, endpointId: string, url: string): Promise<void> {
  await tenant.query(sql`update endpoints set url = ${url}
    where app_id = ${tenant.appId} and endpoint_id = ${endpointId} and url <> ${url}`);
}

export async function deleteEndpointRow(tenant: Tenant, endpointId: string): Promise<boolean> {
  const rows = await tenant.query(
    sql`delete from endpoints where app_id = ${tenant.appId} and endpoint_id = ${endpointId} returning endpoint_id`,
  );
  return rows.length === 1;
}

/**
 * Selects the facts that decide whether a delivery may be sent: endpoint e, key k, app a, and two grants on the server
 * with the organisation's restrictions. One grant is of events:read, the other is of the scope of the event's resource.
 * An event without a resource has no server and needs no grant.
 */
export const deliveryAuthority = (
  appId: Sql,
  serverId: Sql,
  resourceScope: Sql,
): Sql => sql`e.state as endpoint_state, ${DELIVERY_KEY_STATE} as key_state,
  ${IS_DELIVERY_KEY_EXPIRED} as is_key_expired, ${READS_EVENTS} as key_has_scope,
  a.standing as app_status,
  ${serverId} is not null as needs_grant,
  ${currentInstallation(sql`state`, appId, serverId)} as installation_state,
  ${currentGrant(sql`state`, { appId, serverId, scope: sql`'events:read'` })} as scope_state,
  ${resourceScope} as resource_scope, a.enforces_event_scopes,
  ${resourceScope} = any(a.approved_scopes) as is_resource_approved,
  case when a.enforces_event_scopes and ${resourceScope} is not null
    then ${currentGrant(sql`state`, { appId, serverId, scope: resourceScope })} end as resource_state,
  (select json_object_agg(r.scope, r.state) from installation_restrictions r
    where r.app_id = ${appId} and r.server_id = ${serverId}) as restrictions`;

const DELIVERY: Sql = sql`d.delivery_id, d.endpoint_id, d.server_id, e.url, d.event_id, ev.type as event_type, d.schema_version,
  d.trigger, d.status,
  case when q.due_at = 'infinity' and q.state = 'waiting' then 'earlier_event_first' else d.reason end as reason,
  d.redelivery_of, d.redelivered_as, d.created_at, d.finished_at, nullif(q.due_at, 'infinity') as due_at,
  coalesce(t.attempt_count, 0)::int as attempt_count, t.last_status
  from deliveries d
  left join events ev on ev.app_id = d.app_id and ev.event_id = d.event_id
  left join endpoints e on e.app_id = d.app_id and e.endpoint_id = d.endpoint_id
  left join queue q on q.app_id = d.app_id and q.delivery_id = d.delivery_id
  left join lateral (
    select count(*) as attempt_count, (array_agg(status order by attempt_no desc))[1] as last_status
    from attempts where app_id = d.app_id and delivery_id = d.delivery_id) t on true`;

export interface DeliveryFilter {
  endpointId: string | undefined;
  status: DeliveryStatus | 'failing' | undefined;
  redeliveryId: string | undefined;
  eventId: string | undefined;
  eventType: string | undefined;
  /** The first identifier of the time range, and the first one beyond it. */
  from: string | undefined;
  before: string | undefined;
}

/** Maximum number of deliveries that a page examines for their status or the type of their events. */
export const MAX_EXAMINED_DELIVERIES = 1_000;

/** True for a row d of the queue that is not held, and whose delivery has an attempt that ended. A success leaves no row. */
const IS_FAILING: Sql = sql`d.state <> 'held' and d.attempt_no > case d.state when 'in_flight' then 1 else 0 end`;

/**
 * Lists deliveries, newest first. Deliveries in a status or of a type of events can be rare and have no index, because
 * each change of a status would have to write it. So a page under these filters can end early.
 */
export async function listDeliveryRows(
  tenant: Tenant,
  filter: DeliveryFilter,
  after: string | undefined,
  limit: number,
): Promise<BoundedRows<DeliveryRow>> {
  const ofEndpoint = filter.endpointId === undefined ? sql`` : sql`and d.endpoint_id = ${filter.endpointId}`;
  const ofJob = filter.redeliveryId === undefined ? sql`` : sql`and d.redelivery_id = ${filter.redeliveryId}`;
  const ofEvent = filter.eventId === undefined ? sql`` : sql`and d.event_id = ${filter.eventId}`;
  const from = filter.from === undefined ? sql`` : sql`and d.delivery_id >= ${filter.from}`;
  const before = filter.before === undefined ? sql`` : sql`and d.delivery_id < ${filter.before}`;
  const beyond = after === undefined ? sql`` : sql`and d.delivery_id < ${after}`;
  const selected = sql`d.app_id = ${tenant.appId} ${ofEndpoint} ${ofJob} ${ofEvent} ${from} ${before} ${beyond}`;
  const isSearch = filter.eventType !== undefined || filter.status !== undefined;
  // The queue has only deliveries that have not ended, so a search of it finds a failing delivery behind any number of others.
  const searched = filter.status === 'failing' ? sql`queue` : sql`deliveries`;
  const last = isSearch
    ? await tenant.first<{ delivery_id: string }>(sql`
        select d.delivery_id from ${searched} d where ${selected}
        order by d.delivery_id desc offset ${MAX_EXAMINED_DELIVERIES - 1} limit 1`)
    : undefined;
  const examined = last === undefined ? sql`` : sql`and d.delivery_id >= ${last.delivery_id}`;
  // A subselect: Postgres could begin a join at all events of the type.
  const ofType =
    filter.eventType === undefined
      ? sql``
      : sql`and (select type from events where app_id = d.app_id and event_id = d.event_id) = ${filter.eventType}`;
  const matching =
    filter.status === 'failing'
      ? sql`d.app_id = ${tenant.appId} and d.delivery_id = any(array(
          select d.delivery_id from queue d where ${selected} ${examined} and ${IS_FAILING} ${ofType}
          order by d.delivery_id desc limit ${limit}))`
      : sql`${selected} ${examined} ${filter.status === undefined ? sql`` : sql`and d.status = ${filter.status}`} ${ofType}`;
  const rows = await tenant.query<DeliveryRow>(
    sql`select ${DELIVERY} where ${matching} order by d.delivery_id desc limit ${limit}`,
  );
  return { rows, reached: last?.delivery_id };
}

/**
 * Returns the delivery with its body. The body is null if the app may not read the event now and no attempt of this
 * delivery could have reached the receiver.
 */
export function findDeliveryRow(
  tenant: Tenant,
  deliveryId: string,
): Promise<(DeliveryRow & { body: string | null }) | undefined> {
  const appId = sql`${tenant.appId}`;
  return tenant.first<DeliveryRow & { body: string | null }>(sql`
    select found.*, case when ${isBodyGranted(appId)} or ${couldReachReceiver(appId, sql`found.delivery_id`)}
      then ${bodyInVersion(sql`ev`, sql`found.schema_version`)} end as body
    from (select ${DELIVERY} where d.app_id = ${appId} and d.delivery_id = ${deliveryId}) found
    left join events ev on ev.app_id = ${appId} and ev.event_id = found.event_id`);
}

/** Returns a delivery that the transaction has written. */
export async function readDelivery(tenant: Tenant, deliveryId: string): Promise<Delivery> {
  const row = await findDeliveryRow(tenant, deliveryId);
  if (!row) throw new Error('The delivery that was just written was not found.');
  return toDelivery(row);
}

export function listAttemptRows(tenant: Tenant, deliveryId: string): Promise<AttemptRow[]> {
  return tenant.query(sql`
    select attempt_no, started_at, duration_us, outcome, status, detail, response_headers,
      response_body, is_body_cut, url, key_id
    from attempts where app_id = ${tenant.appId} and delivery_id = ${deliveryId} order by attempt_no`);
}
