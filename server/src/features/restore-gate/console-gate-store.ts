// The SQL of the Console's restore gate: a fact of its database.
import type { Queryable } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import type { ClosedBecause } from '../authority/index.ts';

/** Why the restore gate of the Console is closed; null while it is open. */
export async function findConsoleGate(db: Queryable): Promise<ClosedBecause | null> {
  const rows = await db.query<{ because: ClosedBecause }>(
    sql`select value ->> 'because' as because from facts where name = 'restore_gate'`,
  );
  return rows[0]?.because ?? null;
}
