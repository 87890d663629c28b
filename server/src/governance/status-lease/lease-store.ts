// The SQL of the lease, in a plane's database.

import type { ClosureReason } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { Head } from './lease.ts';

interface ConsoleHead {
  consoleEpoch: string;
  head: Head;
}

interface LeaseStateRow {
  restore_epoch: string;
  closed_because: ClosureReason | null;
  console_head: ConsoleHead | null;
}

/** Returns the state and locks it until the transaction ends, so that leases are serialised. */
export async function lockLeaseState(tx: Queryable): Promise<LeaseStateRow> {
  const rows = await tx.query<LeaseStateRow>(
    sql`select restore_epoch, closed_because, console_head from plane_state for no key update`,
  );
  return rows[0] as LeaseStateRow; // always one row
}

/** Extends the lease by the database's clock, by which requests are judged too. */
export async function extendLease(tx: Queryable, seconds: number): Promise<void> {
  await tx.query(sql`update plane_state set lease_at = clock_timestamp(),
    lease_until = clock_timestamp() + make_interval(secs => ${seconds}::int)`);
}

export async function closeGate(tx: Queryable): Promise<void> {
  await tx.query(sql`select close_regressed()`);
}

export async function setConsoleHead(tx: Queryable, head: ConsoleHead | null): Promise<void> {
  await tx.query(sql`update plane_state set console_head = ${head && JSON.stringify(head)}::jsonb`);
}
