// The SQL of Idempotency-Key.
import { sql } from '../../kit/sql.ts';
import type { Tenant, TenantTransaction } from './store.ts';

export interface StoredReplyRow {
  request_hash: Buffer;
  status: number;
  body: string;
  location: string | null;
  /** For which it was made; null where that was not kept yet. */
  request_id: string | null;
}

export async function tryIdempotencyLock(tenant: Tenant, keyHash: Buffer): Promise<boolean> {
  const rows = await tenant.query<{ ok: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${tenant.appId} || ${keyHash.toString('hex')}, 0)) as ok`,
  );
  return rows[0]?.ok === true;
}

/** Of the last 24 hours. */
export async function findStoredReply(tenant: Tenant, keyHash: Buffer): Promise<StoredReplyRow | undefined> {
  const rows = await tenant.query<StoredReplyRow>(sql`select request_hash, status, body, location, request_id
    from idempotency_keys
    where app_id = ${tenant.appId} and key_hash = ${keyHash}
      and created_at >= clock_timestamp() - interval '24 hours'`);
  return rows[0];
}

/** In place of one that is older. */
export function storeReply(tenant: TenantTransaction, keyHash: Buffer, reply: StoredReplyRow): void {
  tenant.send(sql`
    insert into idempotency_keys (app_id, key_hash, request_hash, status, body, location, request_id)
    values (${tenant.appId}, ${keyHash}, ${reply.request_hash}, ${reply.status}, ${reply.body},
      ${reply.location}, ${reply.request_id})
    on conflict (app_id, key_hash) do update set (request_hash, status, body, location, request_id, created_at) =
      (excluded.request_hash, excluded.status, excluded.body, excluded.location, excluded.request_id, excluded.created_at)`);
}
