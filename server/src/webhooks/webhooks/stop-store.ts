// The SQL of what a change of access means for deliveries that wait: cancelled, held, let go, or handed on.

import type { Denial, Tenant, TenantTransaction } from '../../access/authority/index.ts';
import { REMEMBERED, remember } from '../../kit/db/remembered-store.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { DeliveryReason } from './delivery.ts';

/** The claims that were allowed before now are older than what is denied from now on. */
export function countStop(tenant: TenantTransaction): void {
  tenant.send(sql`insert into stop_epochs as s (app_id, epoch) values (${tenant.appId}, 1)
    on conflict (app_id) do update set epoch = s.epoch + 1`);
}

/** How many stops the app has had: what is allowed in the same statement is older than the next one. */
export const stopEpoch = (tenant: Pick<Tenant, 'appId'>): Sql => stopEpochOf(sql`${tenant.appId}`);

export const stopEpochOf = (appId: Sql): Sql =>
  sql`coalesce((select epoch from stop_epochs where app_id = ${appId}), 0)`;

/**
 * Who takes access away, or ends an endpoint, is answered soon, however much waits: so many of the app's deliveries are looked
 * at, the oldest, and so many of those are cancelled. What is beyond is judged, as everything is, when its turn comes.
 */
const LOOKED_AT = 10_000;
export const CANCELLED_AT_ONCE = 1_000;

/** What is looked at: a condition on it names columns of the queue. */
export const lookedAt = (tenant: Tenant): Sql =>
  sql`(select app_id, delivery_id, endpoint_id, event_id, server_id, resource_scope, state from queue where app_id = ${tenant.appId} order by delivery_id limit ${LOOKED_AT}) looked`;

/**
 * Of what is looked at, so many rows of the queue that are meant and in that state, but for those that somebody holds: a
 * worker that stands still in the middle of a claim would keep who takes access away waiting. What is passed over meets its next
 * claim, which judges it.
 */
function lockSome(tenant: TenantTransaction, meant: Sql, state: Sql, limit: number): void {
  tenant.send(
    remember(sql`
      select locked.delivery_id
      from (select delivery_id from ${lookedAt(tenant)} where ${meant} and ${state} limit ${limit}) chosen
      cross join lateral (
        select delivery_id from queue where app_id = ${tenant.appId} and delivery_id = chosen.delivery_id and ${state}
        limit 1 for update skip locked) locked`),
  );
}

const isLocked = (tenant: Tenant): Sql => sql`app_id = ${tenant.appId} and delivery_id = id`;

/** One reason for all deliveries, or an expression over delivery d. */
type Reason = DeliveryReason | Sql;

/** What is done with those that are locked, and what is told of them; answers how many. */
const changeLocked = (tenant: Tenant, change: Sql, told: Sql): Sql => sql`
  with changed as (${change} returning delivery_id),
  told as (
    update deliveries d set ${told} from changed where d.app_id = ${tenant.appId} and d.delivery_id = changed.delivery_id)
  select count(*)::int as count from changed`;

const cancelLocked = (tenant: Tenant, reason: Reason): Sql =>
  changeLocked(
    tenant,
    sql`delete from queue using ${REMEMBERED} id where ${isLocked(tenant)}`,
    sql`status = 'cancelled', reason = ${reason}, finished_at = clock_timestamp()`,
  );

async function count(tenant: Tenant, change: Sql): Promise<number> {
  const rows = await tenant.query<{ count: number }>(change);
  return rows[0]?.count ?? 0;
}

const WAITS = sql`state in ('waiting', 'held')`;

/** Ends for good what waits; how many. */
export function cancelSome(tenant: TenantTransaction, meant: Sql, reason: Reason): Promise<number> {
  lockSome(tenant, meant, WAITS, CANCELLED_AT_ONCE);
  return count(tenant, cancelLocked(tenant, reason));
}

/** The same, where nobody needs to know how many. */
export function sendCancelSome(tenant: TenantTransaction, meant: Sql, reason: Reason): void {
  lockSome(tenant, meant, WAITS, CANCELLED_AT_ONCE);
  tenant.send(cancelLocked(tenant, reason));
}

/** Sets aside what waits; how many. */
export function holdSome(tenant: TenantTransaction, meant: Sql, reason: Reason): Promise<number> {
  lockSome(tenant, meant, sql`state = 'waiting'`, LOOKED_AT);
  const change = sql`update queue set state = 'held' from ${REMEMBERED} id where ${isLocked(tenant)}`;
  return count(tenant, changeLocked(tenant, change, sql`status = 'held', reason = ${reason}`));
}

/** Lets go what was held; how many. Whether it may really be made is judged again when it is claimed. */
export function releaseSome(tenant: TenantTransaction, meant: Sql): Promise<number> {
  lockSome(tenant, meant, sql`state = 'held'`, LOOKED_AT);
  const change = sql`update queue set state = 'waiting', due_at = greatest(due_at, clock_timestamp())
    from ${REMEMBERED} id where ${isLocked(tenant)}`;
  return count(tenant, changeLocked(tenant, change, sql`status = 'pending', reason = null`));
}

/** Ends for good what waits under a lost access. What is in flight is stopped after the commit. */
export function cancelDeliveries(
  tenant: TenantTransaction,
  denied: Omit<Denial, 'appId'>,
  reason: DeliveryReason,
): void {
  countStop(tenant);
  const touched =
    denied.keyId === null
      ? sql`server_id = ${denied.serverId}`
      : sql`endpoint_id = any(array(
          select endpoint_id from endpoints where app_id = ${tenant.appId} and key_id = ${denied.keyId}))`;
  sendCancelSome(tenant, touched, reason);
}

/** How many were cancelled. What is in flight is stopped after the commit. */
export function cancelDeliveriesOfEndpoint(
  tenant: TenantTransaction,
  endpointId: string,
  reason: 'endpoint_deleted' | 'endpoint_disabled',
): Promise<number> {
  return cancelSome(tenant, sql`endpoint_id = ${endpointId}`, reason);
}

/**
 * Endpoints of a key go on through another one, and with them what waits: a delivery goes through the key that its endpoint has
 * when it is claimed.
 */
export function handOnEndpoints(tenant: TenantTransaction, fromKeyId: string, toKeyId: string): void {
  tenant.send(sql`update endpoints set key_id = ${toKeyId} where app_id = ${tenant.appId} and key_id = ${fromKeyId}`);
}
