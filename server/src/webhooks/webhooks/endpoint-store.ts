// The SQL that changes an endpoint, and that reads its recent events.

import type { Tenant } from '../../access/authority/index.ts';
import { sql } from '../../kit/db/sql.ts';
import { isBodyGranted } from './body-access-store.ts';
import type { EndpointRow } from './endpoint.ts';
import type { EndpointSettings } from './endpoint-change.ts';
import { findEndpointRow, furtherKeyIds, toJson } from './store.ts';
import type { NewerVersion, RecentEventRow } from './version-preview.ts';

interface LockedEndpointRow extends EndpointRow {
  sealed_headers: Buffer | null;
}

/** Returns the endpoint, locked until the transaction ends, so that changes do not overlap. */
export async function lockEndpointRow(tenant: Tenant, endpointId: string): Promise<LockedEndpointRow | undefined> {
  const [held] = await tenant.query<Pick<LockedEndpointRow, 'sealed_headers'>>(sql`select sealed_headers from endpoints
    where app_id = ${tenant.appId} and endpoint_id = ${endpointId} for no key update`);
  const row = held && (await findEndpointRow(tenant, endpointId));
  return row && { ...row, ...held };
}

interface ChangedEndpointRow extends EndpointSettings {
  sealedHeaders: Buffer | null;
  headerNames: readonly string[];
}

/** Changes the endpoint, which the caller must have locked. Returns the row after the change. */
export async function updateEndpointRow(
  tenant: Tenant,
  endpointId: string,
  next: ChangedEndpointRow,
): Promise<EndpointRow> {
  await tenant.query(sql`
    update endpoints set url = ${next.url}, key_id = ${next.keyIds[0]}, further_key_ids = ${furtherKeyIds(next.keyIds)}::uuid[], event_types = ${next.eventTypes}::text[],
      receives_all_types = ${next.receivesAllTypes}, server_ids = ${next.serverIds}::uuid[], conditions = ${toJson(next.conditions)}::jsonb,
      schema_versions = ${JSON.stringify(next.schemaVersions)}::jsonb, description = ${next.description},
      rate_per_second = ${next.ratePerSecond}, is_ordered = ${next.isOrdered}, schedule_speed = ${next.scheduleSpeed},
      sealed_headers = ${next.sealedHeaders}, header_names = ${next.headerNames}::text[],
      state = ${next.state}, disabled_reason = ${next.disabledReason}
    where app_id = ${tenant.appId} and endpoint_id = ${endpointId}`);
  return (await findEndpointRow(tenant, endpointId)) as EndpointRow; // it is locked
}

const MAX_EXAMINED_DELIVERIES = 1_000;
const EVENTS_SHOWN = 10;

/**
 * Returns the newest events of these types that the endpoint received or is to receive, in both versions. Leaves out
 * test events, and events from before the newer version. Also leaves out every event that the app may not read now. The
 * newer version was never sent, so an earlier delivery of the pinned version gives no right to it.
 */
export function listRecentEventRows(
  tenant: Tenant,
  endpointId: string,
  wanted: readonly NewerVersion[],
): Promise<RecentEventRow[]> {
  return tenant.query(sql`
    with latest as (
      select event_id, status from deliveries where app_id = ${tenant.appId} and endpoint_id = ${endpointId}
      order by delivery_id desc limit ${MAX_EXAMINED_DELIVERIES})
    select w.type, w.pinned, w.newer, coalesce(ev.older_bodies[w.pinned], ev.body) as pinned_body,
      coalesce(ev.older_bodies[w.newer], ev.body) as newer_body
    from (select distinct event_id from latest where status not in ('skipped', 'cancelled', 'held')) l
    join events ev on ev.app_id = ${tenant.appId} and ev.event_id = l.event_id
    join unnest(${wanted.map((one) => one.type)}::text[], ${wanted.map((one) => one.pinned)}::int[],
      ${wanted.map((one) => one.newer)}::int[]) as w (type, pinned, newer) on w.type = ev.type
    where ev.schema_version >= w.newer and ev.only_endpoint_id is null and ${isBodyGranted(sql`${tenant.appId}`)}
    order by ev.event_id desc limit ${EVENTS_SHOWN}`);
}
