// The SQL of the check in addition to that of the tables: the replication.
import type { Queryable } from '../kit/db/db.ts';
import { sql } from '../kit/db/sql.ts';

export async function readSynchronousStandbys(db: Queryable): Promise<string> {
  const row = await db.first<{ names: string }>(
    sql`select coalesce(current_setting('synchronous_standby_names'), '') as names`,
  );
  return row?.names ?? '';
}
