// Organisations: they own apps, and have members with roles, and invitations.
import { acceptInvitation } from './accept-invitation.ts';
import { changeMember } from './change-member.ts';
import { createInvitation } from './create-invitation.ts';
import { createOrganisation } from './create-organisation.ts';
import { leaveOrganisation } from './leave-organisation.ts';
import { listInvitations } from './list-invitations.ts';
import { listMembers } from './list-members.ts';
import { listRoles } from './list-roles.ts';
import { previewInvitation } from './preview-invitation.ts';
import { removeMember } from './remove-member.ts';
import { revokeInvitation } from './revoke-invitation.ts';
import { transferOwnership } from './transfer-ownership.ts';
import { updateOrganisation } from './update-organisation.ts';

export const organisationOperations = [
  listRoles,
  createOrganisation,
  updateOrganisation,
  leaveOrganisation,
  transferOwnership,
  listMembers,
  changeMember,
  removeMember,
  listInvitations,
  createInvitation,
  revokeInvitation,
  acceptInvitation,
  previewInvitation,
];
export { createInvitationText, findInvitedAddress } from './invitation-mail-links.ts';
export { hasOpenInvitation } from './invitation-store.ts';
export { toMember } from './member.ts';
export { listMemberRows } from './member-store.ts';
export { insertOrganisation } from './store.ts';
