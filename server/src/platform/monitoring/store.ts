// The SQL of monitoring: the schema version of a database, and whether it can be written.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

interface DatabaseState {
  /** The number of the last migration; 0 without any. */
  version: number;
  /** True on a standby, and on a primary whose transactions are read-only. */
  isReadOnly: boolean;
}

export async function findDatabaseState(db: Queryable): Promise<DatabaseState> {
  const state = await db.first<DatabaseState>(sql`
    select coalesce(max(version), 0) as version, coalesce(current_setting('transaction_read_only') = 'on', true) as "isReadOnly"
    from schema_migrations`);
  return state ?? { version: 0, isReadOnly: true };
}
