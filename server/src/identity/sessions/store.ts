// The SQL of organisations for sessions: the memberships of a person.

import type { Role } from '../../access/authority/index.ts';
import { createBoundedDeletion } from '../../kit/db/bounded-deletion-store.ts';
import type { Database, Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';

interface MembershipRow {
  organisation_id: string;
  name: string;
  role: Role;
}

export function listMemberships(db: Queryable, personId: string): Promise<MembershipRow[]> {
  return db.query(sql`select o.organisation_id, o.name, m.role
    from members m join organisations o using (organisation_id)
    where m.person_id = ${personId} and m.suspended_at is null order by m.joined_at, o.organisation_id`);
}

interface SuspendedMembershipRow {
  organisation_id: string;
  name: string;
  suspended_at: Date;
  owners: string[];
}

/**
 * Returns the suspended memberships of a person, with at most ten owners each. An owner who joined after the suspension
 * is not named.
 */
export function listSuspendedMemberships(db: Queryable, personId: string): Promise<SuspendedMembershipRow[]> {
  return db.query(sql`select o.organisation_id, o.name, m.suspended_at, array(
      select u.email from members w join "user" u on u.id = w.person_id
      where w.organisation_id = m.organisation_id and w.role = 'owner' and w.suspended_at is null
        and w.joined_at <= m.suspended_at
      order by w.joined_at, w.member_id limit 10) as owners
    from members m join organisations o using (organisation_id)
    where m.person_id = ${personId} and m.suspended_at is not null
    order by m.suspended_at, o.organisation_id limit 1000`);
}

/**
 * Locks the organisation until the transaction ends: changes of its members run one after the other, and each sees the
 * previous one.
 */
export async function lockConsoleOrganisation(tx: Queryable, organisationId: string): Promise<void> {
  await tx.query(sql`select from organisations where organisation_id = ${organisationId} for no key update`);
}

export interface PersonRow {
  id: string;
  email: string;
  name: string;
  is_verified: boolean;
}

export async function updatePersonName(db: Queryable, personId: string, name: string): Promise<void> {
  await db.query(sql`update "user" set name = ${name}, "updatedAt" = clock_timestamp() where id = ${personId}`);
}

export async function findPeople(db: Queryable, ids: readonly string[]): Promise<Map<string, PersonRow>> {
  const rows = await db.query<PersonRow>(
    sql`select id, email, name, "emailVerified" as is_verified from "user" where id = any(${ids}::text[])`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the role of a person, and the reason of a suspension of the organisation; null unless it is suspended. */
export function findMembership(
  db: Queryable,
  organisationId: string,
  personId: string,
): Promise<{ role: Role; suspended_reason: string | null } | undefined> {
  return db.first(sql`select m.role, o.suspended_reason from members m join organisations o using (organisation_id)
      where m.organisation_id = ${organisationId} and m.person_id = ${personId} and m.suspended_at is null`);
}

/**
 * Records a used code. Returns false if the code was used before. A code is valid for 90 seconds, so older rows cannot
 * match a repeated code and are deleted.
 */
export async function insertUsedCode(db: Database, personId: string, codeHash: Buffer): Promise<boolean> {
  const before = sql`statement_timestamp() - interval '5 minutes'`;
  const rows = await db.together([
    createBoundedDeletion({ from: sql`used_codes`, where: sql`used_at < ${before}`, by: sql`used_at`, limit: 100 }),
    sql`insert into used_codes (person_id, code_hash) values (${personId}, ${codeHash})
        on conflict do nothing returning person_id`,
  ]);
  return rows.length === 1;
}

/** Returns true if the session is open, and keeps it open until the transaction ends. */
export async function hasSession(tx: Queryable, token: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select from "session" where token = ${token} and "expiresAt" > clock_timestamp() for key share`,
  );
  return rows.length === 1;
}

/** Records that a second factor was just verified in the session. */
export async function insertSecondFactorVerification(db: Queryable, sessionId: string): Promise<void> {
  await db.query(sql`insert into second_factor_proofs (session_id) values (${sessionId})
    on conflict (session_id) do update set proved_at = clock_timestamp()`);
}

export async function hasRecentVerification(db: Queryable, sessionId: string, minutes: number): Promise<boolean> {
  const rows = await db.query(sql`select from second_factor_proofs where session_id = ${sessionId}
    and proved_at > clock_timestamp() - make_interval(mins => ${minutes}::int)`);
  return rows.length === 1;
}
