// Revokes invitations when their inviter loses the right to send them.

import { coversRole, isActionAllowed, ROLES, type Role } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { ConsoleOrganisationContext } from '../sessions/index.ts';
import { revokeInvitationsOf } from './invitation-store.ts';

/**
 * Revokes the invitations that the inviter may not send in the new role. `role` is undefined if the inviter is no
 * longer a member.
 */
export async function revokeExceedingInvitations(
  { actor, tx, audit }: ConsoleOrganisationContext,
  inviterId: string,
  role?: Role,
): Promise<void> {
  const reached =
    role && isActionAllowed(role, 'members.invite') ? ROLES.filter((other) => coversRole(role, other)) : [];
  for (const id of await revokeInvitationsOf(tx, actor.organisationId, inviterId, reached)) {
    audit('invitation.revoke', toId('inv', id), { because: 'inviter_changed' });
  }
}
