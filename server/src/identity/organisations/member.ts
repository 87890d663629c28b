// A member: a person with a role in an organisation. Contains the rules for changing members, as pure functions.

import { coversRole, OrganisationId, type Role, RoleSchema } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import { dateTime, idSchema, namedObject, nullable, type Static, strictObject, text } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import type { PersonRow } from '../sessions/index.ts';

export const MemberId = idSchema('mem', "The member's identifier.");
export const memberParams = strictObject({ organisationId: OrganisationId, memberId: MemberId });

export const Member = namedObject('Member', 'A person who belongs to an organisation.', {
  id: MemberId,
  email: text('The e-mail address of the member.', { maxLength: 320 }),
  name: text('The name of the member.', { maxLength: 100 }),
  role: RoleSchema,
  joinedAt: dateTime('Since when the person is a member.'),
  suspendedAt: nullable(
    dateTime(
      'Since when the member has no access, because the operator restored a backup. Giving the member a role ends the suspension. Null for a member with access.',
    ),
  ),
});
export type Member = Static<typeof Member>;

export interface MemberRow {
  member_id: string;
  person_id: string;
  role: Role;
  joined_at: Date;
  suspended_at: Date | null;
}

export function toMember(row: MemberRow, person: PersonRow | undefined): Member {
  return {
    id: toId('mem', row.member_id),
    email: person?.email ?? '',
    name: person?.name ?? '',
    role: row.role,
    joinedAt: row.joined_at.toISOString(),
    suspendedAt: row.suspended_at?.toISOString() ?? null,
  };
}

export const exampleMember: Member = {
  id: 'mem_01j9z3v8k6e5t8m2n4p6q8r0sc',
  email: 'imke@example.org',
  name: 'Imke',
  role: 'developer',
  joinedAt: '2026-11-02T10:15:30.000Z',
  suspendedAt: null,
};

/** Throws unless a member in the role `own` may give, take or change each of these roles. */
export function requireRoleCoverage(own: Role, ...roles: readonly Role[]): void {
  const beyond = roles.find((role) => !coversRole(own, role));
  if (beyond === undefined) return;
  throw problem('role_not_allowed', { detail: `Your role is ${own}, which cannot manage the role ${beyond}.` });
}

/** Throws if this member is the last owner with access. Call it before the member loses the role or leaves. */
export function requireRemainingOwner(row: MemberRow, owners: number): void {
  if (row.role !== 'owner' || row.suspended_at !== null || owners > 1) return;
  throw problem('conflict', { detail: 'The organisation would have no owner. Make another member an owner first.' });
}
