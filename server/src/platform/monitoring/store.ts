// The SQL of monitoring: the schema version of a database.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/** Returns the number of the last migration. */
export async function findSchemaVersion(db: Queryable): Promise<number> {
  const rows = await db.query<{ version: number | null }>(sql`select max(version) as version from schema_migrations`);
  return rows[0]?.version ?? 0;
}
