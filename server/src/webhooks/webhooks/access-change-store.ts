// The SQL that applies a change of access to waiting deliveries: cancels, holds or releases them.

import type { Tenant, TenantTransaction } from '../../access/authority/index.ts';
import { REMEMBERED_IDS, rememberIds } from '../../kit/db/remembered-ids-store.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { DeliveryReason } from './delivery.ts';
import { endpointsWithoutKey } from './endpoint-keys-store.ts';

/** Increments the app's stop epoch. Claims that were allowed before are then older than the denial that follows. */
export function incrementStopEpoch(tenant: TenantTransaction): void {
  tenant.send(sql`insert into stop_epochs as s (app_id, epoch) values (${tenant.appId}, 1)
    on conflict (app_id) do update set epoch = s.epoch + 1`);
}

/** Selects the app's stop epoch. Authority that the same statement reads is older than the next stop. */
export const stopEpoch = (tenant: Pick<Tenant, 'appId'>): Sql => stopEpochOf(sql`${tenant.appId}`);

export const stopEpochOf = (appId: Sql): Sql =>
  sql`coalesce((select epoch from stop_epochs where app_id = ${appId}), 0)`;

/**
 * Limits of the deliveries that a change of access examines and cancels, oldest first. The response is therefore quick
 * whatever the length of the backlog. The next claim judges the deliveries beyond the limit, as it does all deliveries.
 */
const MAX_EXAMINED_PER_CHANGE = 10_000;
export const MAX_CANCELLED_PER_CHANGE = 250;

/** Selects the examined deliveries. A condition on them names columns of the queue. */
export const examinedDeliveries = (tenant: Tenant): Sql =>
  sql`(select app_id, delivery_id, endpoint_id, event_id, server_id, resource_scope, state from queue where app_id = ${tenant.appId} order by delivery_id limit ${MAX_EXAMINED_PER_CHANGE}) examined`;

/**
 * Locks examined rows of the queue that match and have that state, at most `limit`, and skips rows that another
 * transaction has locked. A worker that stalls during a claim would otherwise delay the revocation. The next claim
 * judges the rows that are skipped.
 */
function lockMatching(tenant: TenantTransaction, condition: Sql, state: Sql, limit: number): void {
  tenant.send(
    rememberIds(sql`
      select locked.delivery_id
      from (select delivery_id from ${examinedDeliveries(tenant)} where ${condition} and ${state} limit ${limit}) chosen
      cross join lateral (
        select delivery_id from queue where app_id = ${tenant.appId} and delivery_id = chosen.delivery_id and ${state}
        limit 1 for update skip locked) locked`),
  );
}

const isLocked = (tenant: Tenant): Sql => sql`app_id = ${tenant.appId} and delivery_id = id`;

/** One reason for all deliveries, or an expression over delivery d. */
type Reason = DeliveryReason | Sql;

/** Applies a change to the locked rows of the queue and to their deliveries. Selects the number of changed rows. */
const changeLocked = (tenant: Tenant, change: Sql, deliveryChange: Sql): Sql => sql`
  with changed as (${change} returning delivery_id),
  updated as (
    update deliveries d set ${deliveryChange} from changed where d.app_id = ${tenant.appId} and d.delivery_id = changed.delivery_id)
  select count(*)::int as count from changed`;

const cancelLocked = (tenant: Tenant, reason: Reason): Sql =>
  changeLocked(
    tenant,
    sql`delete from queue using ${REMEMBERED_IDS} id where ${isLocked(tenant)}`,
    sql`status = 'cancelled', reason = ${reason}, finished_at = clock_timestamp()`,
  );

const countOf = (rows: readonly { count: number }[]): number => rows[0]?.count ?? 0;

async function count(tenant: Tenant, change: Sql): Promise<number> {
  return countOf(await tenant.query<{ count: number }>(change));
}

const IS_WAITING = sql`state in ('waiting', 'held')`;

/** Cancels waiting deliveries and returns their number. */
export function cancelMatching(tenant: TenantTransaction, condition: Sql, reason: Reason): Promise<number> {
  lockMatching(tenant, condition, IS_WAITING, MAX_CANCELLED_PER_CHANGE);
  return count(tenant, cancelLocked(tenant, reason));
}

/**
 * Cancels waiting deliveries in the next message to Postgres. Their number may come with the commit only, so the
 * transaction cannot wait for it.
 */
export function sendCancelMatching(tenant: TenantTransaction, condition: Sql, reason: Reason): Promise<number> {
  lockMatching(tenant, condition, IS_WAITING, MAX_CANCELLED_PER_CHANGE);
  const cancelled = tenant.sendForRows<{ count: number }>(cancelLocked(tenant, reason)).then(countOf);
  cancelled.catch(() => {}); // the transaction reports the failure
  return cancelled;
}

/** Holds waiting deliveries and returns their number. */
export function holdMatching(tenant: TenantTransaction, condition: Sql, reason: Reason): Promise<number> {
  lockMatching(tenant, condition, sql`state = 'waiting'`, MAX_EXAMINED_PER_CHANGE);
  const change = sql`update queue set state = 'held' from ${REMEMBERED_IDS} id where ${isLocked(tenant)}`;
  return count(tenant, changeLocked(tenant, change, sql`status = 'held', reason = ${reason}`));
}

/** Releases held deliveries and returns their number. The next claim judges each of them again. */
export function releaseMatching(tenant: TenantTransaction, condition: Sql): Promise<number> {
  lockMatching(tenant, condition, sql`state = 'held'`, MAX_EXAMINED_PER_CHANGE);
  const change = sql`update queue set state = 'waiting', due_at = greatest(due_at, clock_timestamp())
    from ${REMEMBERED_IDS} id where ${isLocked(tenant)}`;
  return count(tenant, changeLocked(tenant, change, sql`status = 'pending', reason = null`));
}

/**
 * Cancels waiting deliveries to those endpoints of a key that have no other usable key. The caller has revoked the key.
 * Other endpoints of the key continue through their next key. In-flight attempts through the key are stopped after the
 * commit. The number of cancelled deliveries comes with the commit.
 */
export function cancelDeliveriesOfKey(tenant: TenantTransaction, keyId: string): Promise<number> {
  incrementStopEpoch(tenant);
  return sendCancelMatching(
    tenant,
    sql`endpoint_id = any(array(${endpointsWithoutKey(tenant, keyId)}))`,
    'key_revoked',
  );
}

/**
 * Cancels waiting deliveries of an endpoint and returns their number. In-flight attempts are stopped after the commit.
 */
export function cancelDeliveriesOfEndpoint(
  tenant: TenantTransaction,
  endpointId: string,
  reason: 'endpoint_deleted' | 'endpoint_disabled' | 'key_revoked',
): Promise<number> {
  return cancelMatching(tenant, sql`endpoint_id = ${endpointId}`, reason);
}
