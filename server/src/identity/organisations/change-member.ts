import { coversRole, RoleSchema } from '../../access/authority/index.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { namedObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowMemberChange, findPeople } from '../sessions/index.ts';
import { mailOwners, requireRoleGrant } from './managing-roles.ts';
import { exampleMember, Member, memberParams, requireRemainingOwner, requireRoleCoverage, toMember } from './member.ts';
import { countOwners, findMember, forgetAppointmentMails, updateRole } from './member-store.ts';
import { revokeExceedingInvitations } from './revoke-exceeding-invitations.ts';

const MemberChange = namedObject('MemberChange', 'The new role of a member.', { role: RoleSchema });

export const changeMember = operation({
  id: 'changeMember',
  route: 'PATCH /api/organisations/{organisationId}/members/{memberId}',
  tag: 'Organisations',
  summary: "Change a member's role",
  description:
    "Gives a member another role, which applies from the member's next request on. A role with more permissions than your own can be neither given nor changed: only owners make owners, and only owners change owners. The last owner keeps the role. A role, also the same role, reinstates a member who was suspended after a restore. Invitations that the member sent and may no longer send are revoked. A role that can create production keys requires a second factor that was confirmed within ten minutes, if there is production or you have a second factor. The owners receive a mail, at most once an hour for each person and role.",
  access: allowMemberChange('members.change'),
  params: memberParams,
  body: MemberChange,
  examples: { anAuditor: { role: 'auditor' } },
  replies: ok('The changed member.', Member, { aMember: exampleMember }),
  problems: ['conflict', 'second_factor_required', 'access_token_not_allowed'],
  async run(context, { ids, params, body: { role } }) {
    const { actor, tx, audit } = context;
    const { organisationId } = actor;
    const row = await findMember(tx, organisationId, ids.memberId);
    if (!row) throw problem('not_found');
    requireRoleCoverage(actor.role, row.role, role);
    await requireRoleGrant(context, role, row);
    if (role !== 'owner') requireRemainingOwner(row, await countOwners(tx, organisationId));
    if (row.suspended_at !== null) audit('member.reinstate', params.memberId, { role });
    else if (role !== row.role) audit('member.change', params.memberId, { from: row.role, to: role });
    if (role !== row.role || row.suspended_at !== null) {
      const appointment = { organisationId, personId: row.person_id, role, before: row, by: actor.name };
      await mailOwners(tx, context.services, appointment);
      await updateRole(tx, organisationId, row.member_id, role);
      await revokeExceedingInvitations(context, row.person_id, role);
      // Otherwise an admin could give the role back within the hour without a mail to the owner who took the role away.
      if (actor.role === 'owner' && !coversRole(role, row.role))
        await forgetAppointmentMails(tx, organisationId, row.person_id);
    }
    const people = await findPeople(tx, [row.person_id]);
    return { status: 200, body: toMember({ ...row, role, suspended_at: null }, people.get(row.person_id)) };
  },
});
