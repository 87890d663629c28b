// The SQL of removals of a second factor without a code: pending for a day, then done. The person cannot create
// production keys in either state.
import { createHash, randomBytes } from 'node:crypto';
import { type Secret, secret } from '../../kit/crypto/secret.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import { deleteSecondFactor } from './second-factor-store.ts';

/** The delay before a removal, and the age at which a new second factor allows production keys again. */
const REMOVAL_HOURS = 24;

export interface RemovalRow {
  /** Null once the removal is done. */
  due_at: Date | null;
  removed_at: Date | null;
  /** Null until a new second factor was confirmed. */
  closed_until: Date | null;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Returns the removal that prevents the person from creating production keys, if there is one. */
export function findRemoval(db: Queryable, personId: string): Promise<RemovalRow | undefined> {
  return db.first(sql`select due_at, removed_at, closed_until from second_factor_removals
    where person_id = ${personId}
      and (due_at is not null or closed_until is null or closed_until > clock_timestamp())`);
}

/**
 * Schedules the removal. Returns undefined if one is pending: a second request neither postpones it nor replaces its
 * mailed link.
 */
export async function insertRemoval(
  tx: Queryable,
  personId: string,
): Promise<{ dueAt: Date; token: Secret } | undefined> {
  const token = randomBytes(32).toString('base64url');
  const rows = await tx.query<{ due_at: Date }>(sql`
    insert into second_factor_removals (person_id, requested_at, due_at, cancel_hash)
    values (${personId}, statement_timestamp(), statement_timestamp() + make_interval(hours => ${REMOVAL_HOURS}),
      ${hashOf(token)})
    on conflict (person_id) do update set requested_at = excluded.requested_at, due_at = excluded.due_at,
      cancel_hash = excluded.cancel_hash
    where second_factor_removals.due_at is null
    returning due_at`);
  const [row] = rows;
  return row && { dueAt: row.due_at, token: secret(token) };
}

/**
 * Cancels the pending removal. Returns false if none was pending. Production keys that an earlier removal closed stay
 * closed.
 */
export async function cancelRemoval(tx: Queryable, personId: string): Promise<boolean> {
  const deleted = await tx.query(sql`delete from second_factor_removals
    where person_id = ${personId} and removed_at is null returning person_id`);
  const updated = await tx.query(sql`update second_factor_removals set due_at = null, cancel_hash = null
    where person_id = ${personId} and due_at is not null returning person_id`);
  return deleted.length + updated.length > 0;
}

/** Returns the person whose pending removal the mailed link cancels. */
export async function findRemovalByToken(tx: Queryable, token: string): Promise<string | undefined> {
  const rows = await tx.query<{ person_id: string }>(
    sql`select person_id from second_factor_removals where cancel_hash = ${hashOf(token)} for update`,
  );
  return rows[0]?.person_id;
}

export interface RemovedFactor {
  id: string;
  email: string;
  passkeyIds: string[];
}

/** Removes the second factor of one person whose delay is over. Concurrent processes take different persons. */
export async function removeDueFactor(tx: Queryable): Promise<RemovedFactor | undefined> {
  const [row] = await tx.query<{ person_id: string }>(sql`
    update second_factor_removals r set due_at = null, cancel_hash = null, removed_at = clock_timestamp(), closed_until = null
    from (select person_id from second_factor_removals where due_at <= clock_timestamp()
      order by due_at limit 1 for update skip locked) due
    where r.person_id = due.person_id returning r.person_id`);
  if (!row) return undefined;
  const passkeyIds = await deleteSecondFactor(tx, row.person_id);
  const user = await tx.first<{ email: string }>(sql`select email from "user" where id = ${row.person_id}`);
  return user && { id: row.person_id, email: user.email, passkeyIds };
}

/**
 * Starts the delay before the person can create production keys, when a new second factor is confirmed. Returns the end
 * of the delay, or undefined if no removal is recorded.
 */
export async function startProductionKeyWait(tx: Queryable, personId: string): Promise<Date | undefined> {
  const rows = await tx.query<{ closed_until: Date }>(sql`
    update second_factor_removals
    set closed_until = coalesce(closed_until, clock_timestamp() + make_interval(hours => ${REMOVAL_HOURS}))
    where person_id = ${personId} and removed_at is not null
      and (closed_until is null or closed_until > clock_timestamp())
    returning closed_until`);
  return rows[0]?.closed_until;
}
