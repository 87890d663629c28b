import { organisationParams } from '../../access/authority/index.ts';
import { toId, toUuid } from '../../kit/crypto/ids.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { namedObject } from '../../kit/http/schema.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowMemberChange, findPeople } from '../sessions/index.ts';
import { mailOwners, requireRoleGrant } from './managing-roles.ts';
import { exampleMember, Member, MemberId, toMember } from './member.ts';
import { findMember, findMemberOfPerson, updateRole } from './member-store.ts';
import { revokeExceedingInvitations } from './revoke-exceeding-invitations.ts';

const NewOwner = namedObject('NewOwner', 'The member who becomes the owner.', { memberId: MemberId });

export const transferOwnership = operation({
  id: 'transferOwnership',
  route: 'POST /api/organisations/{organisationId}/transfer',
  tag: 'Organisations',
  summary: 'Transfer ownership',
  description:
    'Makes another member an owner and you an admin, in one transaction. Other owners keep their role. It requires a second factor that was confirmed within ten minutes, if there is production or you have a second factor. The owners receive a mail, at most once an hour for each person and role.',
  access: allowMemberChange('organisation.transfer'),
  params: organisationParams,
  body: NewOwner,
  examples: { aMember: { memberId: exampleMember.id } },
  replies: ok('The new owner.', Member, { aMember: { ...exampleMember, role: 'owner' } }),
  problems: ['second_factor_required', 'access_token_not_allowed'],
  async run(context, { body }) {
    const { actor, tx, audit } = context;
    const { organisationId, personId } = actor;
    const next = await findMember(tx, organisationId, toUuid('mem', body.memberId));
    const own = await findMemberOfPerson(tx, organisationId, personId);
    if (!next || !own || next.person_id === personId) {
      throw problem('invalid_request', { errors: [{ pointer: '/memberId', detail: 'is not another member' }] });
    }
    await requireRoleGrant(context, 'owner', next);
    const appointment = {
      organisationId,
      personId: next.person_id,
      role: 'owner',
      before: next,
      by: actor.name,
    } as const;
    await mailOwners(tx, context.services, appointment);
    await updateRole(tx, organisationId, next.member_id, 'owner');
    await updateRole(tx, organisationId, own.member_id, 'admin');
    await revokeExceedingInvitations(context, personId, 'admin');
    audit('organisation.transfer', toId('org', organisationId), {
      to: body.memberId,
      from: toId('mem', own.member_id),
    });
    const people = await findPeople(tx, [next.person_id]);
    return { status: 200, body: toMember({ ...next, role: 'owner' }, people.get(next.person_id)) };
  },
});
