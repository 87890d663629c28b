// The SQL of the lease, in the Console's database.

import type { Environment } from '../../access/authority/index.ts';
import type { Database, Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { Head } from './lease.ts';

/** Holds the facts that the Console remembers about an environment. */
export interface PlaneMemory {
  restoreEpoch: string;
  head: Head | null;
  /** Hash of the Console's head that the environment returned and that the Console found in its audit log. */
  checkedHash: string | null;
}

const factOf = (environment: Environment): string => `witness_of_${environment}`;

export async function findPlaneMemory(db: Queryable, environment: Environment): Promise<PlaneMemory | undefined> {
  const rows = await db.query<{ value: PlaneMemory }>(sql`select value from facts where name = ${factOf(environment)}`);
  return rows[0]?.value;
}

export async function setPlaneMemory(db: Queryable, environment: Environment, memory: PlaneMemory): Promise<void> {
  await db.query(sql`insert into facts (name, value) values (${factOf(environment)}, ${JSON.stringify(memory)}::jsonb)
    on conflict (name) do update set value = excluded.value`);
}

/** Drawn when the Console is reopened after a restore. */
export async function findConsoleEpoch(db: Queryable): Promise<string> {
  const rows = await db.query<{ epoch: string }>(
    sql`select value #>> '{}' as epoch from facts where name = 'console_epoch'`,
  );
  return rows[0]?.epoch ?? 'first';
}

export async function closeConsole(db: Queryable): Promise<void> {
  await db.query(sql`insert into facts (name, value) values ('restore_gate', '{"because": "regressed"}')
    on conflict (name) do nothing`);
}

/** Returns organisations whose latest status the environment has not confirmed, and for how long; the longest first. */
export function listUnconfirmed(
  db: Queryable,
  environment: Environment,
  limit: number,
): Promise<{ organisation_id: string; for_seconds: number }[]> {
  return db.query(sql`select organisation_id,
      greatest(0, extract(epoch from clock_timestamp() - standing_raised_at))::bigint as for_seconds
    from organisations o
    where standing_version > 0 and standing_raised_at is not null and not exists (
      select from standing_receipts r where r.organisation_id = o.organisation_id and r.environment = ${environment}
        and r.version = o.standing_version)
    order by standing_raised_at limit ${limit}`);
}

const FORGOTTEN = 1_000;

/** An environment that was restored has not heard what it confirmed: the jobs report every status and approval again. */
export async function forgetReceipts(db: Database, environment: Environment): Promise<void> {
  let forgotten: unknown[];
  do {
    forgotten = await db.query(sql`delete from standing_receipts where ctid = any (array(
      select ctid from standing_receipts where environment = ${environment} limit ${FORGOTTEN})) returning 1`);
  } while (forgotten.length === FORGOTTEN);
  if (environment !== 'production') return;
  do {
    forgotten = await db.query(sql`update live_access set confirmed_version = 0 where ctid = any (array(
      select ctid from live_access where confirmed_version > 0 limit ${FORGOTTEN})) returning 1`);
  } while (forgotten.length === FORGOTTEN);
}
