// An invitation is as good as the one who sent it: what they could send no more ends with their right to.

import { covers, mayDo, ROLES, type Role } from '../../access/authority/index.ts';
import { toId } from '../../kit/crypto/ids.ts';
import type { OrganisationContext } from '../sessions/index.ts';
import { revokeInvitationsOf } from './invitation-store.ts';

/** `role` is what the inviter is from now on; undefined when they are gone. */
export async function revokeUnreached(
  { actor, tx, audit }: OrganisationContext,
  inviterId: string,
  role?: Role,
): Promise<void> {
  const reached = role && mayDo(role, 'members.invite') ? ROLES.filter((other) => covers(role, other)) : [];
  for (const id of await revokeInvitationsOf(tx, actor.organisationId, inviterId, reached)) {
    audit('invitation.revoke', toId('inv', id), { because: 'inviter_changed' });
  }
}
