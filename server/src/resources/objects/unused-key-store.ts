// The SQL that finds an identifier which no object has, among the few identifiers of a resource.
import type { TenantReader } from '../../access/authority/index.ts';
import { defineItemRead } from '../../kit/db/item-statement-store.ts';
import { sql } from '../../kit/db/sql.ts';

const FIRST_UNUSED = defineItemRead<{ kind: string; keys: readonly string[] }, { key: string | null }>(
  sql`kind text, keys text[]`,
  (rows) => sql`
    select distinct on (nth) nth, given.key from ${rows} cross join unnest(item.keys) with ordinality given (key, place)
    where not exists (select from objects o where o.app_id = item.app_id and o.kind = item.kind and o.key = given.key)
    order by nth, given.place`,
);

/** Returns the first of the keys that no object of the kind has; undefined if objects have all of them. */
export async function findUnused(
  tenant: TenantReader,
  kind: string,
  keys: readonly string[],
): Promise<string | undefined> {
  const [row] = await tenant.each(FIRST_UNUSED, { kind, keys });
  return row?.key ?? undefined; // none of the given keys is null
}
