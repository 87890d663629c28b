// The SQL of last uses. Every node writes them in batches.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

export interface KeyUse {
  appId: string;
  keyId: string;
  atMs: number;
  /** Null for a person's call by the key's id, because the person's address is not recorded. */
  clientAddress: string | null;
}

/**
 * Writes the uses ordered by key, so that two nodes cannot deadlock. A use that is older than the stored use changes
 * nothing.
 */
export async function upsertKeyUses(db: Queryable, uses: readonly KeyUse[]): Promise<void> {
  await db.query(sql`
    insert into key_uses as u (app_id, key_id, last_used_at, client_address)
    select app_id, key_id, to_timestamp(at_ms / 1000), client_address
    from unnest(${uses.map((use) => use.appId)}::uuid[], ${uses.map((use) => use.keyId)}::uuid[],
      ${uses.map((use) => use.atMs)}::float8[], ${uses.map((use) => use.clientAddress)}::text[])
      as n (app_id, key_id, at_ms, client_address)
    order by app_id, key_id
    on conflict (app_id, key_id) do update
      set last_used_at = excluded.last_used_at, client_address = coalesce(excluded.client_address, u.client_address)
      where excluded.last_used_at > u.last_used_at`);
}
