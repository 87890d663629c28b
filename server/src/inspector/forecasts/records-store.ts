// The SQL of recorded requests and deliveries for a forecast: reads a bounded number, newest first, and returns them in
// groups that the rules cannot tell apart.

import type { Tenant } from '../../access/authority/index.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { bodyInVersion, type EventType } from '../../resources/events/index.ts';
import { isBodyGranted } from '../../webhooks/webhooks/index.ts';
import { candidates, type IdRange, type SearchIndex } from '../requests/index.ts';

/**
 * Returns the lowest id in the oldest partition of the deliveries; undefined without a partition. Retention drops older
 * partitions. The setting of the retention is known to workers only.
 */
export async function findOldestDeliveryPartition(tenant: Tenant): Promise<string | undefined> {
  const row = await tenant.first<{ oldest: string | null }>(sql`
    select (select lower_bound from partition_bounds('deliveries') order by lower_bound limit 1) as oldest
    from apps where app_id = ${tenant.appId}`);
  return row?.oldest ?? undefined;
}

/** The end of the lifetime of each key, as the first uuid after it. */
export interface Lifetimes {
  keyIds: readonly string[];
  ends: readonly string[];
}

/** Selects whether a record was made after the lifetime of its key. */
const isLate = ({ keyIds, ends }: Lifetimes, keyId: Sql, recordId: Sql): Sql =>
  keyIds.length === 0
    ? sql`false`
    : sql`exists (select from unnest(${keyIds}::uuid[], ${ends}::uuid[]) as l (key_id, ends_before)
        where l.key_id = ${keyId} and ${recordId} >= l.ends_before)`;

/** Selects the records that a change of grants on these servers can concern; all without servers. */
const isOnServer = (serverIds: readonly string[] | null, others: Sql): Sql =>
  sql`(${serverIds}::uuid[] is null or server_id = any(${serverIds}::uuid[]) ${others})`;

interface RecordsRead<Group> {
  /** The number of records that were read, at most `size`. */
  examined: number;
  /** The oldest of them; null without any. */
  reached: string | null;
  groups: Group[];
}

export interface RequestGroupRow {
  key_id: string;
  operation_id: string;
  server_id: string | null;
  address: string | null;
  is_own: boolean;
  is_late: boolean;
  count: number;
  newest: string;
}

interface Selection {
  /** The servers of a change of grants; null for every record. */
  serverIds: readonly string[] | null;
  lifetimes: Lifetimes;
}

/** Groups the requests that succeeded. A request on no server can be a list over all servers. */
export async function groupRequests(
  tenant: Tenant,
  way: SearchIndex,
  range: IdRange,
  { serverIds, lifetimes, hasAddresses }: Selection & { hasAddresses: boolean },
  size: number,
): Promise<RecordsRead<RequestGroupRow>> {
  const late = isLate(lifetimes, sql`examined.key_id`, sql`request_id`);
  const rows = await tenant.query<RecordsRead<RequestGroupRow>>(sql`
    with examined as materialized (
      select request_id, status, key_id, operation_id, server_id, client_address, called_by
      from ${candidates(tenant, way, range, size)}),
    grouped as (
      select key_id, operation_id, server_id, case when ${hasAddresses} then client_address end as address,
        called_by is null as is_own, ${late} as is_late, count(*)::int as count, max(request_id::text) as newest
      from examined
      where status < 400 and key_id is not null and operation_id is not null
        and ${isOnServer(serverIds, sql`or server_id is null`)}
      group by 1, 2, 3, 4, 5, 6)
    select (select count(*)::int from examined) as examined,
      (select request_id from examined order by request_id limit 1) as reached,
      coalesce((select json_agg(grouped) from grouped), '[]') as groups`);
  return rows[0] as RecordsRead<RequestGroupRow>; // always one row
}

export interface DeliveryGroupRow {
  endpoint_id: string;
  server_id: string | null;
  type: EventType | null;
  event_server_id: string | null;
  is_late: boolean;
  body: string | null;
  count: number;
  newest: string;
}

interface DeliverySelection extends Selection {
  /** Undefined for the deliveries of every endpoint. */
  endpointId: string | undefined;
  /** True to return each delivery with the body of its event, for conditions, if the app may read the event now. */
  hasBodies: boolean;
}

/**
 * Groups the scheduled deliveries that were sent or wait. The event is looked up by its primary key: Postgres could
 * begin a join at all events of a type.
 */
export async function groupDeliveries(
  tenant: Tenant,
  range: IdRange,
  { endpointId, serverIds, lifetimes, hasBodies }: DeliverySelection,
  size: number,
): Promise<RecordsRead<DeliveryGroupRow>> {
  const ofEndpoint = endpointId === undefined ? sql`` : sql`and endpoint_id = ${endpointId}`;
  const readable = sql`case when ${isBodyGranted(sql`${tenant.appId}`)}
          then ${bodyInVersion(sql`ev`, sql`d.schema_version`)} end`;
  const body = hasBodies ? readable : sql`null::text`;
  const one = hasBodies ? sql`delivery_id` : sql`null::uuid`;
  const rows = await tenant.query<RecordsRead<DeliveryGroupRow>>(sql`
    with examined as materialized (
      select delivery_id, endpoint_id, event_id, server_id, key_id, schema_version, status, trigger from deliveries
      where app_id = ${tenant.appId} ${ofEndpoint} and delivery_id >= ${range.from} and delivery_id < ${range.before}
      order by delivery_id desc limit ${size}),
    selected as (
      select * from examined
      where trigger = 'scheduled' and status in ('pending', 'held', 'succeeded', 'failed')
        and ${isOnServer(serverIds, sql``)}),
    judged as (
      select d.delivery_id, d.endpoint_id, d.server_id, found.type, found.server_id as event_server_id, found.body,
        ${isLate(lifetimes, sql`d.key_id`, sql`d.delivery_id`)} as is_late
      from selected d left join lateral (
        select ev.type, ev.server_id, ${body} as body from events ev
        where ev.app_id = ${tenant.appId} and ev.event_id = d.event_id limit 1) found on true),
    grouped as (
      select endpoint_id, server_id, type, event_server_id, is_late, max(body) as body, count(*)::int as count,
        max(delivery_id::text) as newest
      from judged group by endpoint_id, server_id, type, event_server_id, is_late, ${one})
    select (select count(*)::int from examined) as examined,
      (select delivery_id from examined order by delivery_id limit 1) as reached,
      coalesce((select json_agg(grouped) from grouped), '[]') as groups`);
  return rows[0] as RecordsRead<DeliveryGroupRow>; // always one row
}
