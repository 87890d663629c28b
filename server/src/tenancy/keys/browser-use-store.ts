// The SQL of keys that a page in a browser used, for the worker's role.

import type { BrowserUse } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { textArray } from '../../kit/db/pg-arrays.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { NoticedKey } from '../../platform/notices/index.ts';

/**
 * The maximum number of notices for a key per UTC day. Notices are numbered from 1, and a unique index allows each
 * number once.
 */
export const MAX_ORIGINS_A_DAY = 5;

/** Matches notices n of the current day of UTC. */
const IS_FROM_TODAY: Sql = sql`n.page_slot is not null
  and timezone('UTC', n.created_at)::date = timezone('UTC', clock_timestamp())::date`;

/** Returns the uses that have no notice today and whose key has not reached the daily maximum. */
export function listUnreported(
  db: Queryable,
  uses: readonly BrowserUse[],
): Promise<(NoticedKey & { page_origin: string | null })[]> {
  // The array of texts cannot contain null here, so the empty text represents a missing origin.
  const columns = [
    uses.map(({ appId }) => appId),
    uses.map(({ keyId }) => keyId),
    uses.map(({ pageOrigin }) => pageOrigin ?? ''),
  ].map(textArray);
  const [appIds, keyIds, origins] = columns;
  return db.query(sql`
    select a.organisation_id, k.app_id, k.key_id, a.name as app_name, k.name, k.kid, k.created_by, k.expires_at,
      nullif(used.page_origin, '') as page_origin
    from unnest(${appIds}::text[]::uuid[], ${keyIds}::text[]::uuid[], ${origins}::text[]) used (app_id, key_id, page_origin)
    join keys k using (app_id, key_id) join apps a using (app_id)
    where not exists (select from notices n where n.app_id = k.app_id and n.key_id = k.key_id and ${IS_FROM_TODAY}
        and coalesce(n.page_origin, '') = used.page_origin)
      and (select count(*) from notices n where n.app_id = k.app_id and n.key_id = k.key_id and ${IS_FROM_TODAY})
        < ${MAX_ORIGINS_A_DAY}
    order by k.key_id`);
}

/** Locks the key's numbers until the transaction ends, so that no other transaction takes the same number. */
export async function lockPageSlots(tx: Queryable, keyId: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('key_in_browser ' || ${keyId}, 0))`);
}

/** Returns the lowest number without a notice today, or undefined if the key has used all numbers. */
export async function findFreeSlot(
  tx: Queryable,
  { app_id, key_id }: Pick<NoticedKey, 'app_id' | 'key_id'>,
): Promise<number | undefined> {
  const rows = await tx.query<{ slot: number | null }>(sql`
    select min(slot) as slot from generate_series(1, ${MAX_ORIGINS_A_DAY}::int) slot
    where not exists (select from notices n where n.app_id = ${app_id} and n.key_id = ${key_id} and ${IS_FROM_TODAY}
      and n.page_slot = slot)`);
  return rows[0]?.slot ?? undefined;
}
