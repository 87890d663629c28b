// The SQL of the Console's restore gate: a fact of its database.

import type { ClosureReason } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

/** Returns why the restore gate of the Console is closed; null while it is open. */
export async function findConsoleGate(db: Queryable): Promise<ClosureReason | null> {
  const rows = await db.query<{ because: ClosureReason | null }>(
    sql`select value ->> 'because' as because from facts where name = 'restore_gate'`,
  );
  return rows[0]?.because ?? null;
}
