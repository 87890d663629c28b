// The SQL of sessions' view of organisations: where a person belongs, and as what.
import type { Queryable } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import type { Role } from '../authority/index.ts';

export interface MembershipRow {
  organisation_id: string;
  name: string;
  role: Role;
}

export function listMemberships(db: Queryable, personId: string): Promise<MembershipRow[]> {
  return db.query(sql`select o.organisation_id, o.name, m.role
    from members m join organisations o using (organisation_id)
    where m.person_id = ${personId} order by m.joined_at, o.organisation_id`);
}

/** Until the transaction ends: who changes who belongs there comes one after the other, and sees what was done before. */
export async function holdOrganisation(tx: Queryable, organisationId: string): Promise<void> {
  await tx.query(sql`select from organisations where organisation_id = ${organisationId} for no key update`);
}

export interface PersonRow {
  id: string;
  email: string;
  name: string;
  is_verified: boolean;
}

export async function findPeople(db: Queryable, ids: readonly string[]): Promise<Map<string, PersonRow>> {
  const rows = await db.query<PersonRow>(
    sql`select id, email, name, "emailVerified" as is_verified from "user" where id = any(${ids}::text[])`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export async function findRole(db: Queryable, organisationId: string, personId: string): Promise<Role | undefined> {
  const rows = await db.query<{ role: Role }>(
    sql`select role from members where organisation_id = ${organisationId} and person_id = ${personId}`,
  );
  return rows[0]?.role;
}
