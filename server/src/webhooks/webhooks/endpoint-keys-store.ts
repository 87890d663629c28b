// The SQL of the keys of endpoints. An endpoint delivers through the first of its keys that is valid and has
// `events:read`, and continues through the next one when that key ends.

import { keyStateAt, type Tenant, type TenantTransaction } from '../../access/authority/index.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';

/**
 * Selects the ids of the keys of endpoint e, in their order. A process of the previous release replaces `key_id` alone,
 * also by one of the further keys.
 */
export const endpointKeyIds: Sql = sql`e.key_id || array_remove(e.further_key_ids, e.key_id)`;

/**
 * Selects from the keys k of endpoint e. Each key is looked up by its primary key, in the app of the endpoint: a key of
 * another app is never found.
 */
const FROM_KEYS: Sql = sql`from unnest(${endpointKeyIds}) with ordinality as named (key_id, place)
  cross join lateral (
    select key_id, state, ends_at, expires_at, scopes from keys
    where app_id = e.app_id and key_id = named.key_id limit 1) k`;

/**
 * Selects the state of key k, and whether it has expired, when the statement began. A statement chooses a key and then
 * judges it: with two readings of the clock, the chosen key could end between them, and the delivery would be cancelled
 * although the next key is usable. These statements wait for no lock, and a claim ends with its key in any case.
 */
export const DELIVERY_KEY_STATE: Sql = keyStateAt(sql`statement_timestamp()`);
export const IS_DELIVERY_KEY_EXPIRED: Sql = sql`k.expires_at <= statement_timestamp()`;

const IS_USABLE: Sql = sql`${DELIVERY_KEY_STATE} = 'active' and not ${IS_DELIVERY_KEY_EXPIRED} and 'events:read' = any(k.scopes)`;

const FIRST_USABLE: Sql = sql`(select k.key_id ${FROM_KEYS} where ${IS_USABLE} order by named.place limit 1)`;

/**
 * Selects the id of the key through which endpoint e delivers now: its first usable key, or without one its first key,
 * which names the reason of the refusal. An endpoint with one key needs no look-up.
 *
 * The expression reads the keys in the snapshot of its statement, like the stop epoch. A claim that sees the count of a
 * revocation therefore never chooses the revoked key.
 */
export const deliveringKeyId: Sql = sql`case when e.further_key_ids is null then e.key_id
  else coalesce(${FIRST_USABLE}, e.key_id) end`;

/** Selects the time at which the last usable key of endpoint e ends; null if no key is usable. */
export const keysEndAt: Sql = sql`(select max(least(k.expires_at, k.ends_at)) ${FROM_KEYS} where ${IS_USABLE})`;

const usesKey = (keyId: Sql): Sql => sql`${keyId} = any(${endpointKeyIds})`;

/** Selects whether key k has an endpoint. */
export const hasEndpoints: Sql = sql`exists (
  select from endpoints e where e.app_id = k.app_id and ${usesKey(sql`k.key_id`)})`;

/** Selects the endpoints of the key that have no usable key. */
export const endpointsWithoutKey = (tenant: Tenant, keyId: string): Sql => sql`
  select e.endpoint_id from endpoints e
  where e.app_id = ${tenant.appId} and ${usesKey(sql`${keyId}::uuid`)} and ${FIRST_USABLE} is null`;

export interface ContinuingEndpointRow {
  endpoint_id: string;
  url: string;
  /** The key through which the endpoint delivers now. */
  key_id: string;
}

/** Returns the enabled endpoints of the key that deliver through another key. */
export function listContinuingEndpoints(tenant: Tenant, keyId: string): Promise<ContinuingEndpointRow[]> {
  return tenant.query(sql`
    select e.endpoint_id, e.url, next.key_id from endpoints e
    cross join lateral (select ${FIRST_USABLE} as key_id) next
    where e.app_id = ${tenant.appId} and ${usesKey(sql`${keyId}::uuid`)} and e.state = 'enabled'
      and next.key_id <> ${keyId}
    order by e.endpoint_id`);
}

/**
 * Returns whether the endpoint has no usable key, and one of its keys was revoked. A key that is added then must not
 * send the deliveries that wait. The caller must have incremented the stop epoch: revocations of keys do so too, and
 * therefore run before or after the caller's transaction.
 */
export async function hasLostKeys(tenant: Tenant, endpointId: string): Promise<boolean> {
  const row = await tenant.first<{ has_lost: boolean }>(sql`
    select ${FIRST_USABLE} is null and exists (select ${FROM_KEYS} where ${DELIVERY_KEY_STATE} = 'revoked') as has_lost
    from endpoints e where e.app_id = ${tenant.appId} and e.endpoint_id = ${endpointId}`);
  return row?.has_lost ?? true;
}

/** Makes claims cancel the deliveries that were queued before the current stop epoch, which the caller increments. */
export function cutOffEarlierDeliveries(tenant: TenantTransaction, endpointId: string): void {
  tenant.send(sql`
    update endpoints set min_epoch = (select epoch from stop_epochs where app_id = ${tenant.appId})
    where app_id = ${tenant.appId} and endpoint_id = ${endpointId}`);
}

/**
 * Replaces a key of endpoints by another one in the same place. Their waiting deliveries follow: a claim uses the keys
 * that the endpoint has at that time.
 */
export function moveEndpointsToKey(tenant: TenantTransaction, fromKeyId: string, toKeyId: string): void {
  tenant.send(sql`
    update endpoints e set key_id = case e.key_id when ${fromKeyId} then ${toKeyId}::uuid else e.key_id end,
      further_key_ids = array_replace(e.further_key_ids, ${fromKeyId}::uuid, ${toKeyId}::uuid)
    where e.app_id = ${tenant.appId} and ${usesKey(sql`${fromKeyId}::uuid`)}`);
}
