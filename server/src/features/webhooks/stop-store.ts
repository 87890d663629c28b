// The SQL of what a change of access means for deliveries that wait: cancelled, held, let go, or handed on.
import { type Sql, sql } from '../../kit/sql.ts';
import type { Denial, Tenant, TenantTransaction } from '../authority/index.ts';
import type { DeliveryReason } from './delivery.ts';

/** The claims that were allowed before now are older than what is denied from now on. */
export function countStop(tenant: TenantTransaction): void {
  tenant.send(sql`insert into stop_epochs as s (app_id, epoch) values (${tenant.appId}, 1)
    on conflict (app_id) do update set epoch = s.epoch + 1`);
}

/** How many stops the app has had: what is allowed in the same statement is older than the next one. */
export const stopEpoch = (tenant: Tenant): Sql =>
  sql`coalesce((select epoch from stop_epochs where app_id = ${tenant.appId}), 0)`;

/**
 * Who takes access away, or ends an endpoint, is answered soon, however much waits: so many of the app's deliveries are looked
 * at, the oldest, and so many of those are cancelled. What is beyond is judged, as everything is, when its turn comes.
 */
const LOOKED_AT = 10_000;
export const CANCELLED_AT_ONCE = 1_000;

/** What is looked at: a condition on it names columns of the queue. */
export const lookedAt = (tenant: Tenant): Sql =>
  sql`(select delivery_id, endpoint_id, server_id, state from queue where app_id = ${tenant.appId} order by delivery_id limit ${LOOKED_AT}) looked`;

/**
 * `mine`: of what is looked at, so many rows of the queue that are meant and in that state, but for those that somebody holds: a
 * worker that stands still in the middle of a claim would keep who takes access away waiting. What is passed over meets its next
 * claim, which judges it. Row by row and not `= any(array(select ...))`: when a claim changes a row meanwhile, Postgres looks at it
 * once more, and a backend of version 18 died of the arrays in that (signal 11, `npm run prove -- webhooks --only revoke`).
 */
const mine = (tenant: Tenant, meant: Sql, state: Sql, limit: number): Sql => sql`
  chosen as materialized (select delivery_id from ${lookedAt(tenant)} where ${meant} and ${state} limit ${limit}),
  mine as materialized (
    select locked.delivery_id from chosen cross join lateral (
      select delivery_id from queue where app_id = ${tenant.appId} and delivery_id = chosen.delivery_id and ${state}
      limit 1 for update skip locked) locked)`;

const isMine = (tenant: Tenant): Sql =>
  sql`app_id = ${tenant.appId} and delivery_id = any(array(select delivery_id from mine))`;

/** Ends for good what waits; answers how many. */
export const cancelSome = (tenant: Tenant, meant: Sql, reason: DeliveryReason): Sql => sql`
  with ${mine(tenant, meant, sql`state in ('waiting', 'held')`, CANCELLED_AT_ONCE)},
  gone as (delete from queue where ${isMine(tenant)} returning app_id, delivery_id),
  told as (
    update deliveries d set status = 'cancelled', reason = ${reason}, finished_at = clock_timestamp()
    from gone where d.app_id = gone.app_id and d.delivery_id = gone.delivery_id)
  select count(*)::int as count from gone`;

/** Sets aside what waits; answers how many. */
export const holdSome = (tenant: Tenant, meant: Sql, reason: DeliveryReason): Sql => sql`
  with ${mine(tenant, meant, sql`state = 'waiting'`, LOOKED_AT)},
  held as (update queue set state = 'held' where ${isMine(tenant)} returning app_id, delivery_id),
  told as (
    update deliveries d set status = 'held', reason = ${reason}
    from held where d.app_id = held.app_id and d.delivery_id = held.delivery_id)
  select count(*)::int as count from held`;

/** Lets go what was held; answers how many. Whether it may really be made is judged again when it is claimed. */
export const releaseSome = (tenant: Tenant, meant: Sql): Sql => sql`
  with ${mine(tenant, meant, sql`state = 'held'`, LOOKED_AT)},
  released as (
    update queue set state = 'waiting', due_at = greatest(due_at, clock_timestamp())
    where ${isMine(tenant)} returning app_id, delivery_id),
  told as (
    update deliveries d set status = 'pending', reason = null
    from released where d.app_id = released.app_id and d.delivery_id = released.delivery_id)
  select count(*)::int as count from released`;

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
  tenant.send(cancelSome(tenant, sql`${touched} and state in ('waiting', 'held')`, reason));
}

/** How many were cancelled. What is in flight is stopped after the commit. */
export async function cancelDeliveriesOfEndpoint(
  tenant: TenantTransaction,
  endpointId: string,
  reason: 'endpoint_deleted' | 'endpoint_disabled',
): Promise<number> {
  const meant = sql`endpoint_id = ${endpointId} and state in ('waiting', 'held')`;
  const rows = await tenant.query<{ count: number }>(cancelSome(tenant, meant, reason));
  return rows[0]?.count ?? 0;
}

/**
 * Endpoints of a key go on through another one, and with them what waits: a delivery goes through the key that its endpoint has
 * when it is claimed.
 */
export function handOnEndpoints(tenant: TenantTransaction, fromKeyId: string, toKeyId: string): void {
  tenant.send(sql`update endpoints set key_id = ${toKeyId} where app_id = ${tenant.appId} and key_id = ${fromKeyId}`);
}
