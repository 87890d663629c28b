import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import { allowMemberChange } from '../sessions/index.ts';
import { exampleInvitation, Invitation, invitationParams, toInvitation } from './invitation.ts';
import { findInvitation, revokeInvitationRow } from './invitation-store.ts';
import { requireRoleCoverage } from './member.ts';

export const revokeInvitation = operation({
  id: 'revokeInvitation',
  route: 'POST /api/organisations/{organisationId}/invitations/{invitationId}/revoke',
  tag: 'Organisations',
  summary: 'Revoke an invitation',
  description:
    'Revokes the link of an open invitation. Revoking an invitation again changes nothing. An accepted invitation cannot be revoked.',
  access: allowMemberChange('members.invite'),
  params: invitationParams,
  replies: ok('The revoked invitation.', Invitation, { anInvitation: { ...exampleInvitation, state: 'revoked' } }),
  problems: ['conflict'],
  async run({ actor, tx, audit }, { ids: { invitationId }, params }) {
    const { organisationId } = actor;
    const before = await findInvitation(tx, organisationId, invitationId);
    if (!before) throw problem('not_found');
    requireRoleCoverage(actor.role, before.role);
    if (before.state === 'accepted')
      throw problem('conflict', { detail: 'The invitation was accepted. Remove the member instead.' });
    if (before.state === 'revoked') return { status: 200, body: toInvitation(before) };
    audit('invitation.revoke', params.invitationId, { email: before.email, role: before.role });
    await revokeInvitationRow(tx, organisationId, invitationId);
    return { status: 200, body: toInvitation({ ...before, state: 'revoked' }) };
  },
});
