// The SQL of a redelivery's deliveries: finds those that match, reads their current authority, and inserts the new
// deliveries.

import type { Tenant, TenantTransaction } from '../../access/authority/index.ts';
import { firstUuidAt, newUuid } from '../../kit/crypto/ids.ts';
import { REMEMBERED_IDS, rememberIds } from '../../kit/db/remembered-ids-store.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import { bodyInVersion, resourceScopeOf } from '../../resources/events/index.ts';
import {
  type Delivery,
  deliveringKeyId,
  deliveryAuthority,
  isUnderWay,
  lockEndpoint,
  stopEpoch,
} from '../webhooks/index.ts';
import { findBlocked, type OriginalRow, type RedeliveryPlan } from './plan-redelivery.ts';
import { MAX_CLOCK_SKEW_MS, type RedeliveryFilter, type RedeliveryPosition } from './redelivery-filter.ts';

const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Selects the next `size` candidates after a position in the order of their events, and whether each matches the
 * filter. A statement therefore reads one window at most, even if few of a million deliveries match.
 */
function windowOf(
  tenant: Tenant,
  filter: RedeliveryFilter,
  after: RedeliveryPosition,
  endedBefore: Date,
  size: number,
): Sql {
  const { endpoint_id, event_type, statuses, reason, since, until } = filter;
  const beforeEvent = until ? firstUuidAt(until.getTime()) : LAST_UUID;
  const ofEndpoint = endpoint_id === null ? sql`` : sql`and d.endpoint_id = ${endpoint_id}`;
  // The filter of an endpoint withholds events on purpose. A job includes their deliveries only for the reason
  // `filtered`.
  const forReason = reason === null ? sql`and d.reason is distinct from 'filtered'` : sql`and d.reason = ${reason}`;
  const ofType =
    event_type === null
      ? sql``
      : sql`and exists (select from events ev
          where ev.app_id = ${tenant.appId} and ev.event_id = d.event_id and ev.type = ${event_type})`;
  return sql`examined as materialized (
      select d.event_id, d.delivery_id, d.created_at,
        d.status = any(${statuses}::text[]) and d.trigger <> 'test' and d.finished_at < ${endedBefore}
          ${ofEndpoint} ${forReason} ${ofType} as is_meant
      from deliveries d
      where d.app_id = ${tenant.appId} and d.is_redeliverable and d.event_id < ${beforeEvent}
        and (d.event_id, d.delivery_id) > (${after.after_event_id}::uuid, ${after.after_delivery_id}::uuid)
        and d.delivery_id >= ${firstUuidAt(since.getTime() - MAX_CLOCK_SKEW_MS)}
      order by d.event_id, d.delivery_id limit ${size})`;
}

interface WindowCount {
  examined: number;
  count: number;
  first_at: Date | null;
  last_at: Date | null;
  /** Null if the window was empty. */
  last: RedeliveryPosition | null;
}

export async function countWindow(
  tenant: Tenant,
  filter: RedeliveryFilter,
  after: RedeliveryPosition,
  endedBefore: Date,
  size: number,
): Promise<WindowCount> {
  const rows = await tenant.query<WindowCount>(sql`
    with ${windowOf(tenant, filter, after, endedBefore, size)}
    select count(*)::int as examined, count(*) filter (where is_meant)::int as count,
      min(created_at) filter (where is_meant) as first_at, max(created_at) filter (where is_meant) as last_at,
      (select json_build_object('after_event_id', event_id, 'after_delivery_id', delivery_id) from examined
        order by event_id desc, delivery_id desc limit 1) as last
    from examined`);
  return rows[0] as WindowCount; // an aggregate returns one row
}

interface NextBatchRow {
  examined: number;
  delivery_ids: string[];
  /** The position after this batch; null if the window was empty. */
  last: RedeliveryPosition | null;
}

/** Returns the next matching deliveries, at most `sizes.batch` out of one window. */
export async function findNextBatch(
  tenant: Tenant,
  filter: RedeliveryFilter,
  after: RedeliveryPosition,
  endedBefore: Date,
  sizes: { window: number; batch: number },
): Promise<NextBatchRow> {
  const rows = await tenant.query<NextBatchRow>(sql`
    with ${windowOf(tenant, filter, after, endedBefore, sizes.window)},
    next as materialized (
      select event_id, delivery_id from examined where is_meant order by event_id, delivery_id limit ${sizes.batch}),
    ends as (
      select * from (select event_id, delivery_id from examined order by event_id desc, delivery_id desc limit 1) l
        where (select count(*) from next) < ${sizes.batch}
      union all
      select * from (select event_id, delivery_id from next order by event_id desc, delivery_id desc limit 1) n
        where (select count(*) from next) = ${sizes.batch})
    select (select count(*)::int from examined) as examined,
      (select coalesce(json_agg(delivery_id order by event_id, delivery_id), '[]') from next) as delivery_ids,
      (select json_build_object('after_event_id', event_id, 'after_delivery_id', delivery_id) from ends) as last`);
  return rows[0] as NextBatchRow; // a select without from returns one row
}

/**
 * Locks the deliveries until the transaction ends. The lock needs its own statement: a statement that waited for
 * another redelivery would not see the rows that the other one queued. The order of the locks prevents deadlocks.
 */
function lockDeliveries(tenant: TenantTransaction, deliveryIds: readonly string[]): void {
  tenant.send(sql`select from deliveries where app_id = ${tenant.appId} and delivery_id = any(${deliveryIds}::uuid[])
    order by delivery_id for update`);
}

/** `is_under_way`: a delivery of the event to the endpoint has not ended. */
type LockedOriginalRow = OriginalRow & { is_under_way: boolean };

const originals = (tenant: Tenant, deliveryIds: readonly string[], condition: Sql, columns: Sql): Sql => sql`
  select d.delivery_id, d.endpoint_id, d.event_id, k.key_id, d.server_id, d.schema_version,
    d.trigger, e.endpoint_id is null as is_endpoint_deleted, ev.event_id is null as is_event_gone,
    case when e.is_ordered then ev.subject_id end as subject_id, case when e.is_ordered then ev.sequence end as sequence,
    d.reason, ev.server_id as event_server_id, e.server_ids, e.conditions,
    ${columns},
    ${stopEpoch(tenant)} as epoch, ${deliveryAuthority(sql`d.app_id`, sql`d.server_id`, sql`ev.resource_scope`)}
  from unnest(${deliveryIds}::uuid[]) with ordinality as named (delivery_id, at)
  cross join lateral (
    select * from deliveries where app_id = ${tenant.appId} and delivery_id = named.delivery_id and ${condition} limit 1) d
  left join lateral (
    select event_id, server_id, subject_id, sequence, body, older_bodies,
      case when d.server_id is not null then ${resourceScopeOf(sql`type`)} end as resource_scope
    from events where app_id = ${tenant.appId} and event_id = d.event_id limit 1) ev on true
  left join endpoints e on e.app_id = ${tenant.appId} and e.endpoint_id = d.endpoint_id
  join keys k on k.app_id = ${tenant.appId} and k.key_id = coalesce(${deliveringKeyId}, d.key_id)
  join apps a on a.app_id = ${tenant.appId}
  order by named.at`;

/** The body is read for the conditions that a job evaluates. */
const BODY_FOR_JOB: Sql = sql`case when e.conditions is not null and d.reason <> 'filtered'
      then ${bodyInVersion(sql`ev`, sql`d.schema_version`)} end as body`;

/**
 * Locks the deliveries that were not redelivered meanwhile until the transaction ends. Returns them with their current
 * authority.
 */
export function lockOriginals(tenant: TenantTransaction, deliveryIds: readonly string[]): Promise<OriginalRow[]> {
  lockDeliveries(tenant, deliveryIds);
  return tenant.query(originals(tenant, deliveryIds, sql`is_redeliverable`, BODY_FOR_JOB));
}

/** Locks the endpoint of one delivery, and the delivery, which may have any status. */
export function lockOriginal(tenant: TenantTransaction, deliveryId: string): Promise<LockedOriginalRow | undefined> {
  lockEndpoint(
    tenant,
    sql`(select endpoint_id from deliveries where app_id = ${tenant.appId} and delivery_id = ${deliveryId})`,
  );
  lockDeliveries(tenant, [deliveryId]);
  const columns = sql`null as body, ${isUnderWay(tenant, sql`d.event_id`, sql`d.endpoint_id`)} as is_under_way`;
  return tenant.first(originals(tenant, [deliveryId], sql`true`, columns));
}

/**
 * Inserts a new delivery for each original, in the schema version that was first sent, with links in both directions.
 * Pending and held ones enter the queue. If the endpoint wants order, a delivery is due when the earlier ones of its
 * subject have left the queue. Returns the ids of the new deliveries, in order.
 */
export async function insertRedeliveries(
  tenant: Tenant,
  planned: readonly (OriginalRow & RedeliveryPlan)[],
  by: { trigger: Delivery['trigger']; redeliveryId: string | null },
): Promise<string[]> {
  const ids = planned.map(() => newUuid());
  const isBehind = findBlocked(planned);
  const given = planned.map((row, at) => ({
    delivery_id: ids[at],
    original_id: row.delivery_id,
    endpoint_id: row.endpoint_id,
    event_id: row.event_id,
    key_id: row.key_id,
    server_id: row.server_id,
    resource_scope: row.resource_scope,
    epoch: row.epoch,
    schema_version: row.schema_version,
    subject_id: row.subject_id,
    sequence: row.sequence,
    is_behind: isBehind.has(row),
    status: row.status,
    reason: row.reason,
    is_filtered: row.isFiltered || null,
  }));
  await tenant.query(sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(given)}::json) as g (delivery_id uuid, original_id uuid,
        endpoint_id uuid, event_id uuid, key_id uuid, server_id uuid, resource_scope text, epoch bigint,
        schema_version smallint, subject_id uuid, sequence int, is_behind boolean, status text, reason text, is_filtered boolean)),
    made as (
      insert into deliveries (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, trigger, status, reason,
        schema_version, finished_at, redelivery_of, redelivery_id)
      select ${tenant.appId}::uuid, delivery_id, endpoint_id, event_id, key_id, server_id, ${by.trigger}, status, reason,
        schema_version, case when status = 'skipped' then clock_timestamp() end, original_id, ${by.redeliveryId}::uuid
      from given),
    linked as (
      update deliveries d set redelivered_as = g.delivery_id
      from given g where d.app_id = ${tenant.appId} and d.delivery_id = g.original_id)
    insert into queue (app_id, delivery_id, endpoint_id, event_id, key_id, server_id, resource_scope, trigger,
      schema_version, epoch, is_filtered, state, subject_id, sequence, redelivery_id, due_at)
    select ${tenant.appId}::uuid, delivery_id, endpoint_id, event_id, key_id, server_id, resource_scope, ${by.trigger},
      schema_version, epoch, is_filtered, case status when 'held' then 'held' else 'waiting' end, subject_id, sequence, ${by.redeliveryId}::uuid,
      case when subject_id is not null and (is_behind or exists (
          select from queue before where before.app_id = ${tenant.appId} and before.endpoint_id = one.endpoint_id
            and before.subject_id = one.subject_id))
        then 'infinity' else clock_timestamp() end
    from given one where status in ('pending', 'held')`);
  return ids;
}

/** Cancels at most `most` waiting deliveries of a job. Returns whether any of its deliveries is left in the queue. */
export async function cancelWaiting(
  tenant: TenantTransaction,
  redeliveryId: string,
  most: number,
): Promise<{ cancelled: number; isLeft: boolean }> {
  tenant.send(
    rememberIds(sql`
      select delivery_id from queue
      where app_id = ${tenant.appId} and redelivery_id = ${redeliveryId} and state in ('waiting', 'held')
      limit ${most} for update skip locked`),
  );
  const cancelled = await tenant.query<{ count: number }>(sql`
    with cancelled as (
      delete from queue using ${REMEMBERED_IDS} id where app_id = ${tenant.appId} and delivery_id = id
      returning delivery_id),
    updated as (
      update deliveries d set status = 'cancelled', reason = 'redelivery_cancelled', finished_at = clock_timestamp()
      from cancelled where d.app_id = ${tenant.appId} and d.delivery_id = cancelled.delivery_id)
    select count(*)::int as count from cancelled`);
  const remaining = await tenant.query(
    sql`select from queue where app_id = ${tenant.appId} and redelivery_id = ${redeliveryId} limit 1`,
  );
  return { cancelled: cancelled[0]?.count ?? 0, isLeft: remaining.length > 0 };
}
