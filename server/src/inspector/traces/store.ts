// The SQL of traces: from a request to its attempts, and back.

import type { Tenant } from '../../access/authority/index.ts';
import { firstUuidAt, msOfUuid } from '../../kit/crypto/ids.ts';
import { sql } from '../../kit/db/sql.ts';
import { isBodyGranted } from '../../webhooks/webhooks/index.ts';
import {
  type EventBodiesRow,
  TRACE_LIMITS,
  type TracedAttemptRow,
  type TracedDeliveryRow,
  type TracedEventRow,
} from './trace.ts';

// An effect is created after its cause, apart from differences of clocks. So older partitions are not read.
const notBefore = (uuid: string): string => firstUuidAt(msOfUuid(uuid) - 60_000);

export function findEventRow(tenant: Tenant, eventId: string): Promise<TracedEventRow | undefined> {
  return tenant.first(
    sql`select event_id, body, actor from events where app_id = ${tenant.appId} and event_id = ${eventId}`,
  );
}

/** Returns the event in all schema versions if the app may read it now. */
export function findReadableBodies(tenant: Tenant, eventId: string): Promise<EventBodiesRow | undefined> {
  return tenant.first(sql`
    select ev.body, ev.older_bodies from events ev where ev.app_id = ${tenant.appId} and ev.event_id = ${eventId}
      and ${isBodyGranted(sql`${tenant.appId}`)}`);
}

export function findEventOfDelivery(tenant: Tenant, deliveryId: string): Promise<TracedEventRow | undefined> {
  return tenant.first(sql`
    select e.event_id, e.body, e.actor from deliveries d join events e on e.app_id = d.app_id and e.event_id = d.event_id
    where d.app_id = ${tenant.appId} and d.delivery_id = ${deliveryId}`);
}

export function listCausedEvents(tenant: Tenant, requestId: string): Promise<TracedEventRow[]> {
  return tenant.query(sql`select event_id, body, actor from events
    where app_id = ${tenant.appId} and request_id = ${requestId} and event_id > ${notBefore(requestId)}
    order by event_id limit ${TRACE_LIMITS.events + 1}`);
}

/** Returns deliveries of events. The events must be in order of creation. */
export async function listTracedDeliveries(tenant: Tenant, eventIds: readonly string[]): Promise<TracedDeliveryRow[]> {
  const [first] = eventIds;
  if (first === undefined) return [];
  return tenant.query(sql`
    select delivery_id, event_id, endpoint_id, status, reason, created_at, finished_at, redelivery_of from deliveries
    where app_id = ${tenant.appId} and event_id = any(${eventIds}::uuid[]) and delivery_id > ${notBefore(first)}
    order by delivery_id limit ${TRACE_LIMITS.deliveries + 1}`);
}

export async function listTracedAttempts(tenant: Tenant, deliveryIds: readonly string[]): Promise<TracedAttemptRow[]> {
  if (deliveryIds.length === 0) return [];
  return tenant.query(sql`select delivery_id, attempt_no, started_at, duration_us, outcome, status from attempts
    where app_id = ${tenant.appId} and delivery_id = any(${deliveryIds}::uuid[])
    order by delivery_id, attempt_no limit ${TRACE_LIMITS.attempts + 1}`);
}
