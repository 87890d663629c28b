// The SQL of the revocation journal: revocations that wait to be written, and the last line that the database has
// committed.
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { JournalPosition, Revocation } from './journal.ts';

/**
 * Returns the position and locks it until the transaction ends, so that one worker writes. Null before the first line.
 */
export async function lockJournalPosition(tx: Queryable): Promise<JournalPosition | null> {
  const rows = await tx.query<{ n: number | null; mac: string | null }>(
    sql`select journal_line as n, journal_mac as mac from plane_state for no key update`,
  );
  const { n = null, mac = null } = rows[0] ?? {};
  return n === null || mac === null ? null : { n, mac };
}

export async function setJournalPosition(tx: Queryable, position: JournalPosition | null): Promise<void> {
  await tx.query(sql`update plane_state set journal_line = ${position?.n ?? null}::bigint,
    journal_mac = ${position?.mac ?? null}`);
}

export interface PendingRevocationRow {
  revocation_id: number;
  line: Revocation;
  at: Date;
}

export function listPendingRevocations(tx: Queryable, limit: number): Promise<PendingRevocationRow[]> {
  return tx.query(sql`select revocation_id, line, at from revocations order by revocation_id limit ${limit}`);
}

/** Returns which of these rows still wait. */
export function findPendingRevocations(tx: Queryable, ids: readonly number[]): Promise<PendingRevocationRow[]> {
  return tx.query(sql`select revocation_id, line, at from revocations where revocation_id = any(${ids}::bigint[])`);
}

export async function deletePendingRevocations(tx: Queryable, ids: readonly number[]): Promise<void> {
  await tx.query(sql`delete from revocations where revocation_id = any(${ids}::bigint[])`);
}

/** Deletes up to `limit` revocations older than a day if no journal is written. */
export async function deleteUnjournalled(db: Queryable, limit: number): Promise<void> {
  await db.query(sql`delete from revocations where revocation_id in (
    select revocation_id from revocations where at < clock_timestamp() - interval '1 day' limit ${limit})
    and exists (select from plane_state where coalesce(journal_line, 0) = 0)`);
}

export async function closeRolledBack(db: Queryable): Promise<void> {
  await db.query(sql`select close_regressed()`);
}

/** Returns the seconds since the oldest waiting revocation; 0 without any. */
export async function findJournalAge(db: Queryable): Promise<number> {
  const rows = await db.query<{ seconds: number | null }>(
    sql`select extract(epoch from clock_timestamp() - min(at))::float8 as seconds from revocations`,
  );
  return rows[0]?.seconds ?? 0;
}
