// The SQL that ends captures. Run as slipway_worker.
import { deleteSome } from '../../kit/db/bounded-deletion-store.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/** Destroys the keys whose time has ended. There is one for each app and hour. */
export async function destroyExpiredKeys(worker: Queryable): Promise<void> {
  await worker.query(sql`
    update capture_keys set sealed_key = null where sealed_key is not null and expires_at <= clock_timestamp()`);
}

export async function destroyAllKeys(worker: Queryable): Promise<void> {
  await worker.query(sql`update capture_keys set sealed_key = null where sealed_key is not null`);
}

/** A destroyed key whose row still exists. */
interface DestroyedKey {
  app_id: string;
  key_id: string;
}

export async function findDestroyedKey(worker: Queryable): Promise<DestroyedKey | undefined> {
  const rows = await worker.query<DestroyedKey>(
    sql`select app_id, key_id from capture_keys where sealed_key is null order by key_id limit 1`,
  );
  return rows[0];
}

export function deleteCaptures(worker: Queryable, { app_id, key_id }: DestroyedKey, limit: number): Promise<number> {
  const where = sql`app_id = ${app_id} and key_id = ${key_id}`;
  return deleteSome(worker, { from: sql`captures`, where, by: sql`app_id, key_id`, limit });
}

export function deleteContents(worker: Queryable, { app_id, key_id }: DestroyedKey, limit: number): Promise<number> {
  const where = sql`app_id = ${app_id} and key_id = ${key_id}`;
  return deleteSome(worker, { from: sql`capture_contents`, where, by: sql`app_id, key_id`, limit });
}

export async function deleteDestroyedKey(worker: Queryable, { app_id, key_id }: DestroyedKey): Promise<void> {
  await worker.query(
    sql`delete from capture_keys where app_id = ${app_id} and key_id = ${key_id} and sealed_key is null`,
  );
}

/** Deletes gaps of captures that would have expired under any setting. */
export function deleteOldGaps(worker: Queryable, limit: number): Promise<number> {
  const where = sql`minute < statement_timestamp() - interval '8 days'`;
  return deleteSome(worker, { from: sql`capture_gaps`, where, by: sql`minute`, limit });
}

interface SealedKeyRow {
  key_id: string;
  sealed_key: Buffer;
}

/** Locks keys that one of these master keys seals. Skips locked rows, because a transaction that never waits cannot deadlock. */
export function lockKeysOf(tx: Queryable, masterKeys: readonly string[], limit: number): Promise<SealedKeyRow[]> {
  return tx.query(sql`
    select key_id, sealed_key from capture_keys
    where sealed_key is not null and master_key_of(sealed_key) = any(${masterKeys}::text[])
    order by key_id limit ${limit} for no key update skip locked`);
}

export async function updateSealedKey(tx: Queryable, keyId: string, sealedKey: Buffer): Promise<void> {
  await tx.query(sql`update capture_keys set sealed_key = ${sealedKey} where key_id = ${keyId}`);
}
