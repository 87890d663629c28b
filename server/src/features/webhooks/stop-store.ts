// The SQL of what a change of access means for deliveries that wait: cancelled, held, let go, or handed on.
import { type Sql, sql } from '../../kit/sql.ts';
import type { Denial, TenantTransaction } from '../authority/index.ts';
import type { DeliveryReason } from './delivery.ts';

const touched = (denied: Omit<Denial, 'appId'>): Sql =>
  denied.keyId === null ? sql`server_id = ${denied.serverId}` : sql`key_id = ${denied.keyId}`;

/** The claims that were allowed before now are older than what is denied from now on. */
export function countStop(tenant: TenantTransaction): void {
  tenant.send(sql`insert into stop_epochs as s (app_id, epoch) values (${tenant.appId}, 1)
    on conflict (app_id) do update set epoch = s.epoch + 1`);
}

/**
 * The rows of the queue that are meant, but for those that somebody holds: a worker that stands still in the middle of a claim
 * would keep who takes access away waiting. What is passed over meets its next claim, which judges it.
 */
export const unheld = (meant: Sql): Sql =>
  sql`ctid = any(array(select ctid from queue where ${meant} for update skip locked))`;

/**
 * Who takes access away, or ends an endpoint, is answered soon, however much waits: what waits beyond so many is cancelled
 * when its turn comes.
 */
const CANCELLED_AT_ONCE = 1_000;

/** Ends for good what waits under a lost access. What is in flight is stopped after the commit. */
export function cancelDeliveries(
  tenant: TenantTransaction,
  denied: Omit<Denial, 'appId'>,
  reason: DeliveryReason,
): void {
  countStop(tenant);
  tenant.send(sql`
    with gone as (
      delete from queue
      where ${unheld(sql`app_id = ${tenant.appId} and ${touched(denied)} and state in ('waiting', 'held')
        limit ${CANCELLED_AT_ONCE}`)}
      returning app_id, delivery_id)
    update deliveries d set status = 'cancelled', reason = ${reason}, finished_at = clock_timestamp()
    from gone where d.app_id = gone.app_id and d.delivery_id = gone.delivery_id`);
}

/** How many were cancelled. What is in flight is stopped after the commit. */
export async function cancelDeliveriesOfEndpoint(
  tenant: TenantTransaction,
  endpointId: string,
  reason: 'endpoint_deleted' | 'endpoint_disabled',
): Promise<number> {
  const rows = await tenant.query<{ count: number }>(sql`
    with gone as (
      delete from queue
      where ${unheld(sql`app_id = ${tenant.appId} and endpoint_id = ${endpointId} and state in ('waiting', 'held')
        limit ${CANCELLED_AT_ONCE}`)}
      returning app_id, delivery_id),
    told as (
      update deliveries d set status = 'cancelled', reason = ${reason}, finished_at = clock_timestamp()
      from gone where d.app_id = gone.app_id and d.delivery_id = gone.delivery_id)
    select count(*)::int as count from gone`);
  return rows[0]?.count ?? 0;
}

/** Endpoints and deliveries of a key go on through another one. What is in flight is asked for it only when it waits again. */
export function handOnDeliveries(tenant: TenantTransaction, fromKeyId: string, toKeyId: string): void {
  tenant.send(sql`
    with moved as (
      update endpoints set key_id = ${toKeyId} where app_id = ${tenant.appId} and key_id = ${fromKeyId}),
    waiting as (
      update queue set key_id = ${toKeyId} where app_id = ${tenant.appId} and key_id = ${fromKeyId}
      returning app_id, delivery_id)
    update deliveries d set key_id = ${toKeyId}
    from waiting where d.app_id = waiting.app_id and d.delivery_id = waiting.delivery_id`);
}
