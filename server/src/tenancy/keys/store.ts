// The SQL of keys. This module writes the verifier and never reads it: only the access module does.

import { type AppStatus, KEY_STATE, type Scope, type Tenant } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { sql } from '../../kit/db/sql.ts';
import { SCOPE_USES } from '../../resources/scope-uses/index.ts';
import { hasEndpoints } from '../../webhooks/webhooks/index.ts';
import type { KeyChange, KeyRow } from './key.ts';

const COLUMNS = sql`k.key_id, k.kid, k.name, k.note, k.scopes, k.allowed_cidrs::text[] as allowed_cidrs, ${KEY_STATE} as state,
  k.expires_at <= clock_timestamp() as is_expired, k.created_by, k.created_at, k.expires_at, k.ends_at,
  least(k.revoked_at, case when k.ends_at <= clock_timestamp() then k.ends_at end) as revoked_at, k.predecessor_id,
  (select s.key_id from keys s where s.app_id = k.app_id and s.predecessor_id = k.key_id) as successor_id,
  (select u.last_used_at from key_uses u where u.app_id = k.app_id and u.key_id = k.key_id) as last_used_at,
  (select u.client_address from key_uses u where u.app_id = k.app_id and u.key_id = k.key_id) as last_used_from,
  ${SCOPE_USES} as scope_uses,
  ${hasEndpoints} as has_endpoints`;

export function listKeyRows(tenant: Tenant, after: string | undefined, limit: number): Promise<KeyRow[]> {
  const beyond = after === undefined ? sql`` : sql`and key_id < ${after}`;
  return tenant.query(
    sql`select ${COLUMNS} from keys k where app_id = ${tenant.appId} ${beyond} order by key_id desc limit ${limit}`,
  );
}

/**
 * Locks the app until the transaction ends and returns its status, its approved scopes and its number of valid keys.
 * The lock prevents two concurrent requests from both creating the last allowed key.
 */
export async function lockAppForNewKey(
  tenant: Tenant,
): Promise<{ status: AppStatus; approved: readonly Scope[]; validKeys: number }> {
  const apps = await tenant.query<{ status: AppStatus; approved_scopes: Scope[] }>(
    sql`select standing as status, approved_scopes from apps where app_id = ${tenant.appId} for no key update`,
  );
  const keys = await tenant.query<{ count: number }>(sql`select count(*)::int as count from keys k
    where k.app_id = ${tenant.appId} and ${KEY_STATE} = 'active' and k.expires_at > clock_timestamp()`);
  const [app] = apps;
  return {
    status: app?.status ?? 'deleting',
    approved: app?.approved_scopes ?? [],
    validKeys: keys[0]?.count ?? 0,
  };
}

interface NewKeyRow {
  keyId: string;
  kid: string;
  verifier: Buffer;
  pepperVersion: number;
  name: string;
  note: string | null;
  scopes: readonly Scope[];
  createdBy: string;
  expiresInDays: number;
  predecessorId: string | null;
  allowedCidrs: readonly string[] | null;
}

/**
 * Inserts a key. The database's clock sets the dates: now() is the start of the transaction, which is at or before
 * created_at.
 */
export async function insertKey(tenant: Tenant, key: NewKeyRow): Promise<KeyRow> {
  const rows = await tenant.query<KeyRow>(sql`
    insert into keys as k (app_id, key_id, kid, verifier, pepper_version, name, note, scopes, created_by, created_at,
      expires_at, predecessor_id, allowed_cidrs)
    values (${tenant.appId}, ${key.keyId}, ${key.kid}, ${key.verifier}, ${key.pepperVersion}, ${key.name},
      ${key.note}, ${key.scopes}::text[], ${key.createdBy}, now(), now() + make_interval(days => ${key.expiresInDays}::int),
      ${key.predecessorId}, ${key.allowedCidrs}::text[]::cidr[])
    returning ${COLUMNS}`);
  return rows[0] as KeyRow; // an insert without a conflict clause returns its row or throws
}

/** Updates the name or the note. Returns undefined if the app has no such key. */
export function updateKeyRow(tenant: Tenant, keyId: string, change: KeyChange): Promise<KeyRow | undefined> {
  const { name = null, note } = change;
  return tenant.first(sql`
    update keys k set name = coalesce(${name}, k.name),
      note = case when ${note !== undefined} then ${note ?? null} else k.note end
    where app_id = ${tenant.appId} and key_id = ${keyId} returning ${COLUMNS}`);
}

/**
 * Revokes the key and returns its new row, or undefined if there is no such key. A repeated revocation changes nothing.
 */
export async function revokeKeyRow(tenant: Tenant, keyId: string, actor: string): Promise<KeyRow | undefined> {
  const [, rows] = await Promise.all([
    tenant.query(sql`
      update keys set state = 'revoked', revoked_at = clock_timestamp(), revoked_by = ${actor}
      where app_id = ${tenant.appId} and key_id = ${keyId} and state = 'active'`),
    tenant.query<KeyRow>(sql`select ${COLUMNS} from keys k where app_id = ${tenant.appId} and key_id = ${keyId}`),
  ]);
  return rows[0];
}

/**
 * Locks the organisation's apps until the transaction ends and returns their ids, in the order of all transactions that
 * lock several apps. A key that is created concurrently in an app is either visible or waits until this transaction
 * ends.
 */
export async function lockAppIds(tx: Queryable, organisationId: string): Promise<string[]> {
  const rows = await tx.query<{ app_id: string }>(
    sql`select app_id from apps where organisation_id = ${organisationId} order by app_id for no key update`,
  );
  return rows.map((row) => row.app_id);
}

/** A name under which a person created keys, and for an earlier address the end of its use. */
export interface KeyMaker {
  createdBy: string;
  until?: Date;
}

/** Revokes the active keys of the app that this person created under any of the names, and returns them. */
export function revokeKeyRowsMadeBy(
  tenant: Tenant,
  makers: readonly KeyMaker[],
  actor: string,
): Promise<Pick<KeyRow, 'key_id' | 'kid' | 'created_by'>[]> {
  return tenant.query(sql`
    update keys set state = 'revoked', revoked_at = clock_timestamp(), revoked_by = ${actor}
    where app_id = ${tenant.appId} and state = 'active' and exists (
      select from unnest(${textArray(makers.map((one) => one.createdBy))}::text[],
        ${textArray(makers.map(({ until }) => String(until?.getTime() ?? Infinity)))}::text[]) as m (created_by, until_ms)
      where keys.created_by = m.created_by and keys.created_at <= to_timestamp(m.until_ms::double precision / 1000))
    returning key_id, kid, created_by`);
}

/** Revokes all keys of the app, and returns them. */
export function revokeKeysOfApp(tenant: Tenant, actor: string): Promise<Pick<KeyRow, 'key_id' | 'kid'>[]> {
  return tenant.query(sql`
    update keys set state = 'revoked', revoked_at = clock_timestamp(), revoked_by = ${actor}
    where app_id = ${tenant.appId} and state = 'active' returning key_id, kid`);
}

/**
 * Locks the key until the transaction ends and returns its row. A concurrent rotation waits and sees the result of this
 * one.
 */
export function lockKeyRow(tenant: Tenant, keyId: string): Promise<KeyRow | undefined> {
  return tenant.first(
    sql`select ${COLUMNS} from keys k where app_id = ${tenant.appId} and key_id = ${keyId} for no key update of k`,
  );
}

/** Sets the key's end by the database's clock, no later than its expiry. */
export function setKeyEnd(tenant: Tenant, keyId: string, inHours: number): Promise<KeyRow | undefined> {
  return tenant.first(sql`
    update keys k set ends_at = least(expires_at, clock_timestamp() + make_interval(hours => ${inHours}::int))
    where app_id = ${tenant.appId} and key_id = ${keyId} returning ${COLUMNS}`);
}
