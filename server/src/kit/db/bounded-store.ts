// Changes that stay short however many rows are meant: each statement takes at most so many, and is repeated until none are left.
//
//     const old = { from: sql`notices`, where: sql`created_at < ${before}`, by: sql`created_at`, limit: 2_000 };
//     while ((await deleteSome(db, old)) === 2_000);
import type { Queryable } from './db.ts';
import { type Sql, sql } from './sql.ts';

export interface Meant {
  from: Sql;
  where: Sql;
  /** Order of an index whose columns `where` bounds: the statement reads the index from its beginning, and no more rows than it deletes. */
  by: Sql;
  limit: number;
  /** The column of the primary key, where the role may not select all columns; without it a row is found by its place (ctid). */
  key?: Sql;
}

/** A statement for the caller's own transaction. */
export const deletionOf = ({ from, where, by, limit, key = sql`ctid` }: Meant): Sql => sql`
  delete from ${from} where ${key} = any(array(
    select ${key} from ${from} where ${where} order by ${by} limit ${limit}::int))`;

/** Returns how many rows it deleted. */
export async function deleteSome(db: Queryable, meant: Meant): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    with gone as (${deletionOf(meant)} returning 1) select count(*)::int as count from gone`);
  return rows[0]?.count ?? 0;
}
