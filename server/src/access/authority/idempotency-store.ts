// The SQL of Idempotency-Key.
import { defineItemLock, defineItemRead, defineItemWrite, hex } from '../../kit/db/item-statement-store.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { TenantReader, TenantWriter } from './store.ts';

export interface StoredReplyRow {
  request_hash: Buffer;
  status: number;
  body: string;
  location: string | null;
  /** The request that this reply answered; null in rows from before this column existed. */
  request_id: string | null;
}

interface IdempotencyItem {
  key_hash: string;
}
const IDEMPOTENCY_COLUMNS = sql`key_hash bytea`;

// Postgres lets one transaction acquire the same lock twice. So only the first of its mutations with a key tries the
// lock.
const LOCK = defineItemLock<IdempotencyItem, { ok: boolean }>(
  IDEMPOTENCY_COLUMNS,
  (rows) => sql`
    select nth, is_first and pg_try_advisory_xact_lock(hashtextextended(app_id::text || encode(key_hash, 'hex'), 0)) as ok
    from (select *, row_number() over (partition by app_id, key_hash order by nth) = 1 as is_first from ${rows}) asked`,
);

export async function tryIdempotencyLock(tenant: TenantReader, keyHash: Buffer): Promise<boolean> {
  const [row] = await tenant.each(LOCK, { key_hash: hex(keyHash) });
  return row?.ok === true;
}

// One lookup per key: a join read all replies of the last day for every batch.
const STORED = defineItemRead<IdempotencyItem, StoredReplyRow>(
  IDEMPOTENCY_COLUMNS,
  (rows) => sql`
    select nth, found.request_hash, status, body, location, request_id
    from ${rows} cross join lateral (select request_hash, status, body, location, request_id, created_at from idempotency_keys k
      where k.app_id = item.app_id and k.key_hash = item.key_hash limit 1) found
    where created_at >= clock_timestamp() - interval '24 hours'`,
);

/** Returns a reply of the last 24 hours. */
export async function findStoredReply(tenant: TenantReader, keyHash: Buffer): Promise<StoredReplyRow | undefined> {
  const [row] = await tenant.each(STORED, { key_hash: hex(keyHash) });
  return row;
}

/** A reply as a row, with bytes in hexadecimal. */
export type NewReplyRow = IdempotencyItem & Omit<StoredReplyRow, 'request_hash'> & { request_hash: string };

/** Writes replies from rows with these columns. Each replaces an older reply. */
export const insertReplies = (rows: Sql): Sql => sql`
  insert into idempotency_keys (app_id, key_hash, request_hash, status, body, location, request_id)
  select app_id, key_hash, request_hash, status, body, location, request_id from ${rows}
  on conflict (app_id, key_hash) do update set (request_hash, status, body, location, request_id, created_at) =
    (excluded.request_hash, excluded.status, excluded.body, excluded.location, excluded.request_id, excluded.created_at)`;

const STORE = defineItemWrite<NewReplyRow>(
  sql`key_hash bytea, request_hash bytea, status int, body text, location text, request_id uuid`,
  insertReplies,
);

export const encodeReplyRow = (keyHash: Buffer, reply: StoredReplyRow): NewReplyRow => ({
  ...reply,
  key_hash: hex(keyHash),
  request_hash: hex(reply.request_hash),
});

export function storeReply(tenant: TenantWriter, reply: NewReplyRow): void {
  tenant.sendEach(STORE, [reply]);
}
