// The SQL of the lease, in the Console's database.

import type { Environment } from '../../access/authority/index.ts';
import type { Database, Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { Head } from './lease.ts';

/** The facts that the Console remembers about an environment. */
export interface PlaneMemory {
  restoreEpoch: string;
  head: Head | null;
  /** Hash of the Console's head that the environment returned and that the Console found in its audit log. */
  checkedHash: string | null;
  /** The time at which the Console discarded the environment's confirmations, by the database's clock. */
  forgottenAt?: string | null;
  /** While true, the lease is not extended, because some status or approval is not confirmed again. */
  isReporting?: boolean;
}

const factName = (environment: Environment): string => `witness_of_${environment}`;

export async function findPlaneMemory(db: Queryable, environment: Environment): Promise<PlaneMemory | undefined> {
  const rows = await db.query<{ value: PlaneMemory }>(
    sql`select value from facts where name = ${factName(environment)}`,
  );
  return rows[0]?.value;
}

export async function setPlaneMemory(db: Queryable, environment: Environment, memory: PlaneMemory): Promise<void> {
  await db.query(sql`insert into facts (name, value) values (${factName(environment)}, ${JSON.stringify(memory)}::jsonb)
    on conflict (name) do update set value = excluded.value`);
}

/** Returns the epoch of the Console, which is drawn when the Console is reopened after a restore. */
export async function findConsoleEpoch(db: Queryable): Promise<string> {
  const rows = await db.query<{ epoch: string | null }>(
    sql`select value #>> '{}' as epoch from facts where name = 'console_epoch'`,
  );
  return rows[0]?.epoch ?? 'first';
}

export async function closeConsole(db: Queryable): Promise<void> {
  await db.query(sql`insert into facts (name, value) values ('restore_gate', '{"because": "regressed"}')
    on conflict (name) do nothing`);
}

export interface UnconfirmedRow {
  organisation_id: string;
  for_seconds: number;
}

/**
 * Returns a page of organisations whose latest status the environment has not confirmed, with the time since. Discarded
 * confirmations count from the time of their discarding.
 */
export function listUnconfirmed(
  db: Queryable,
  environment: Environment,
  { after, since, limit }: { after: string | undefined; since: string | null; limit: number },
): Promise<UnconfirmedRow[]> {
  const beyond = after === undefined ? sql`` : sql`and organisation_id > ${after}`;
  return db.query(sql`select organisation_id, greatest(0, extract(epoch from
      clock_timestamp() - greatest(standing_raised_at, ${since}::timestamptz)))::bigint as for_seconds
    from organisations o
    where standing_version > 0 and standing_raised_at is not null and not exists (
      select from standing_receipts r where r.organisation_id = o.organisation_id and r.environment = ${environment}
        and r.version = o.standing_version) ${beyond}
    order by organisation_id limit ${limit}`);
}

/**
 * Returns organisations of which the environment must still confirm a status or an approval that the Console discarded.
 * Approvals of an organisation that is being deleted do not count: the environment refuses them, and the status alone
 * closes all apps.
 */
export async function listUnreported(db: Queryable, environment: Environment, limit: number): Promise<string[]> {
  const rows = await db.query<{ organisation_id: string }>(sql`select organisation_id from organisations o
      where standing_version > 0 and not exists (
        select from standing_receipts r where r.organisation_id = o.organisation_id and r.environment = ${environment})
    union all select organisation_id from live_access join organisations using (organisation_id)
      where ${environment} = 'production' and confirmed_version = 0 and delete_at is null
    limit ${limit}`);
  return rows.map((row) => row.organisation_id);
}

/** Returns true if the time is more than `seconds` ago, by the database's clock. */
export async function isOlder(db: Queryable, time: string | null, seconds: number): Promise<boolean> {
  const rows = await db.query<{ is_older: boolean | null }>(
    sql`select ${time}::timestamptz < clock_timestamp() - make_interval(secs => ${seconds}::int) as is_older`,
  );
  return rows[0]?.is_older === true;
}

const RECEIPTS_PER_BATCH = 1_000;

/**
 * Discards the confirmations of an environment that was restored, so that the jobs report every status and approval
 * again. Returns the time after which they count as unconfirmed.
 */
export async function forgetReceipts(db: Database, environment: Environment): Promise<string> {
  let forgotten: unknown[];
  do {
    forgotten = await db.query(sql`delete from standing_receipts where ctid = any (array(
      select ctid from standing_receipts where environment = ${environment} limit ${RECEIPTS_PER_BATCH})) returning 1`);
  } while (forgotten.length === RECEIPTS_PER_BATCH);
  if (environment === 'production') await forgetApprovals(db);
  const [row] = await db.query<{ at: Date }>(sql`select clock_timestamp() as at`);
  return (row as { at: Date }).at.toISOString(); // always one row
}

async function forgetApprovals(db: Database): Promise<void> {
  let forgotten: unknown[];
  do {
    forgotten = await db.query(sql`update live_access set confirmed_version = 0 where ctid = any (array(
      select ctid from live_access where confirmed_version > 0 limit ${RECEIPTS_PER_BATCH})) returning 1`);
  } while (forgotten.length === RECEIPTS_PER_BATCH);
}
