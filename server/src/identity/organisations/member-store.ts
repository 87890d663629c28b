// The SQL of members.

import type { Role } from '../../access/authority/index.ts';
import type { Queryable } from '../../kit/db/db.ts';
import { sql } from '../../kit/db/sql.ts';
import type { MemberRow } from './member.ts';

const COLUMNS = sql`member_id, person_id, role, joined_at, suspended_at`;

export function listMemberRows(
  db: Queryable,
  organisationId: string,
  after: string | undefined,
  limit: number,
): Promise<MemberRow[]> {
  const beyond = after === undefined ? sql`` : sql`and member_id < ${after}`;
  return db.query(sql`select ${COLUMNS} from members where organisation_id = ${organisationId} ${beyond}
    order by member_id desc limit ${limit}`);
}

export function findMember(tx: Queryable, organisationId: string, memberId: string): Promise<MemberRow | undefined> {
  return tx.first(
    sql`select ${COLUMNS} from members where organisation_id = ${organisationId} and member_id = ${memberId}`,
  );
}

export function findMemberOfPerson(
  tx: Queryable,
  organisationId: string,
  personId: string,
): Promise<MemberRow | undefined> {
  return tx.first(
    sql`select ${COLUMNS} from members where organisation_id = ${organisationId} and person_id = ${personId}`,
  );
}

/** Returns the number of owners that are not suspended. */
export async function countOwners(tx: Queryable, organisationId: string): Promise<number> {
  const rows = await tx.query<{ owners: number }>(
    sql`select count(*) as owners from members where organisation_id = ${organisationId} and role = 'owner' and suspended_at is null`,
  );
  return rows[0]?.owners ?? 0;
}

/** Returns the persons who are owners with access, oldest first, at most `limit`. */
export async function listOwners(tx: Queryable, organisationId: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ person_id: string }>(sql`select person_id from members
    where organisation_id = ${organisationId} and role = 'owner' and suspended_at is null
    order by joined_at limit ${limit}`);
  return rows.map((row) => row.person_id);
}

export async function insertMember(
  tx: Queryable,
  member: { organisationId: string; memberId: string; personId: string; role: Role },
): Promise<void> {
  await tx.query(sql`insert into members (organisation_id, member_id, person_id, role)
    values (${member.organisationId}, ${member.memberId}, ${member.personId}, ${member.role})`);
}

export async function updateRole(tx: Queryable, organisationId: string, memberId: string, role: Role): Promise<void> {
  await tx.query(
    sql`update members set role = ${role}, suspended_at = null where organisation_id = ${organisationId} and member_id = ${memberId}`,
  );
}

export async function deleteMember(tx: Queryable, organisationId: string, memberId: string): Promise<void> {
  await tx.query(sql`delete from members where organisation_id = ${organisationId} and member_id = ${memberId}`);
}

/**
 * Returns true and records the time, unless the owners received a mail about this role of the person within the last
 * hour.
 */
export async function claimAppointmentMail(
  tx: Queryable,
  organisationId: string,
  personId: string,
  role: Role,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into appointment_mails as m (organisation_id, person_id, role, mailed_at)
    values (${organisationId}, ${personId}, ${role}, clock_timestamp())
    on conflict (organisation_id, person_id, role) do update set mailed_at = excluded.mailed_at
      where m.mailed_at <= excluded.mailed_at - interval '1 hour'
    returning 1`);
  return rows.length === 1;
}

/** Forgets the mails about a person, so that the next managing role of this person is mailed immediately. */
export async function forgetAppointmentMails(tx: Queryable, organisationId: string, personId: string): Promise<void> {
  await tx.query(
    sql`delete from appointment_mails where organisation_id = ${organisationId} and person_id = ${personId}`,
  );
}
