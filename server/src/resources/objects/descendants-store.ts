// The SQL of the objects below an object of an operator's contract.
import type { TenantReader, TenantWriter } from '../../access/authority/index.ts';
import { defineItemRead, defineItemWrite } from '../../kit/db/item-statement-store.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';

/**
 * Selects the children of an object by the index of parents. Without `offset 0`, Postgres joined each generation with
 * all objects of the app if it had not analysed the table: 20,000 objects took more than 20 s in place of 0.13 s. After
 * an analysis it takes this index because of the number of parents that migration 0082 sets.
 */
const childrenOf = (appId: Sql, objectId: Sql): Sql =>
  sql`select o.object_id from objects o where o.app_id = ${appId} and o.parent_id = ${objectId} offset 0`;

const COUNT_BELOW = defineItemRead<{ object_id: string; most: number }, { objects: number }>(
  sql`object_id uuid, most int`,
  (rows) => sql`
    select nth, below.objects from ${rows} cross join lateral (
      with recursive found as (
        select item.object_id
        union all
        select o.object_id from found f cross join lateral (${childrenOf(sql`item.app_id`, sql`f.object_id`)}) o)
      select count(*)::int - 1 as objects from (select from found limit item.most + 1) few) below`,
);

/** Counts the objects below an object, `most` of them at most. */
export async function countBelow(tenant: TenantReader, objectId: string, most: number): Promise<number> {
  const [row] = await tenant.each(COUNT_BELOW, { object_id: objectId, most });
  return row?.objects ?? 0;
}

const DELETE = defineItemWrite<{ object_id: string }>(
  sql`object_id uuid`,
  (rows) => sql`
    with recursive removed as (
      select app_id, object_id from ${rows}
      union
      select r.app_id, o.object_id
      from removed r cross join lateral (${childrenOf(sql`r.app_id`, sql`r.object_id`)}) o)
    delete from objects o using removed r where o.app_id = r.app_id and o.object_id = r.object_id`,
);

/** Deletes an object and the objects below it. */
export function deleteStored(tenant: TenantWriter, objectId: string): void {
  tenant.sendEach(DELETE, [{ object_id: objectId }]);
}
