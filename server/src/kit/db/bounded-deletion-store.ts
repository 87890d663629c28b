// Deletions that stay short however many rows match: each statement deletes a limited number of rows, and is repeated
// until none are left.
//
//     const old = { from: sql`notices`, where: sql`created_at < ${before}`, by: sql`created_at`, limit: 2_000 };
//     while ((await deleteSome(db, old)) === 2_000);
import type { Queryable } from './db.ts';
import { type Sql, sql } from './sql.ts';

interface BoundedDeletion {
  from: Sql;
  where: Sql;
  /**
   * Order of an index whose columns `where` limits. The statement reads this index from its beginning, and reads no
   * more rows than it deletes.
   */
  by: Sql;
  limit: number;
  /** Primary key column, for a role that may not select all columns. Without it, a row is found by its ctid. */
  key?: Sql;
}

/** Returns a statement for the caller's own transaction. */
export const createBoundedDeletion = ({ from, where, by, limit, key = sql`ctid` }: BoundedDeletion): Sql => sql`
  delete from ${from} where ${key} = any(array(
    select ${key} from ${from} where ${where} order by ${by} limit ${limit}::int))`;

/** Deletes rows and returns their number. */
export async function deleteSome(db: Queryable, deletion: BoundedDeletion): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    with gone as (${createBoundedDeletion(deletion)} returning 1) select count(*)::int as count from gone`);
  return rows[0]?.count ?? 0;
}
