import { unitOfWork } from '../../access/authority/index.ts';
import { newUuid, toId } from '../../kit/crypto/ids.ts';
import type { Transaction } from '../../kit/db/db.ts';
import { ok, operation } from '../../kit/http/operation.ts';
import { problem } from '../../kit/openapi/problems.ts';
import {
  allowPerson,
  type ConsoleServices,
  findPeople,
  lockConsoleOrganisation,
  Membership,
  type Person,
} from '../sessions/index.ts';
import { hashInvitationToken, type InvitationRow, InvitationToken, refuseAcceptance } from './invitation.ts';
import { findInvitationByToken, markAccepted } from './invitation-store.ts';
import { mailOwners } from './managing-roles.ts';
import { findMemberOfPerson, insertMember } from './member-store.ts';
import { findOrganisation } from './store.ts';

export const acceptInvitation = operation({
  id: 'acceptInvitation',
  route: 'POST /api/invitations/accept',
  tag: 'Organisations',
  summary: 'Accept an invitation',
  description:
    'Makes the signed-in person a member, if the invitation is addressed to them. It works once. Owners receive a mail about a new owner or admin. Only the addressee learns the state of an invitation; for another person, an invitation that is not open does not exist.',
  access: allowPerson(),
  body: InvitationToken,
  examples: { aLink: { token: 'an-example-of-a-one-time-token-abc' } },
  replies: ok("The organisation, and the person's role in it.", Membership, {
    aMember: { id: 'org_01j9z3v8k6e5t8m2n4p6q8r0s6', name: 'Harbour Tools', role: 'developer' },
  }),
  problems: [
    'not_found',
    'conflict',
    'timeout',
    'organisation_suspended',
    'invitation_not_yours',
    'invitation_used',
    'invitation_expired',
    'invitation_revoked',
  ],
  run({ services, person, workScope }, { body }) {
    return unitOfWork(services.db, workScope, async ({ tx, audit }) => {
      const { row, name } = await accept(tx, services, person, hashInvitationToken(body.token));
      const { organisation_id: organisationId, role } = row;
      const detail = { email: row.email, role, invitedBy: row.invited_by };
      audit('invitation.accept', toId('inv', row.invitation_id), detail, { organisationId });
      return { status: 200, body: { id: toId('org', organisationId), name, role } };
    });
  },
});

async function accept(
  tx: Transaction,
  services: ConsoleServices,
  person: Person,
  tokenHash: Buffer,
): Promise<{ row: InvitationRow; name: string }> {
  const found = await findInvitationByToken(tx, tokenHash);
  // The invitation is read again under the lock, because another holder of the link or a revocation may have come
  // first.
  if (found) await lockConsoleOrganisation(tx, found.organisation_id);
  const row = found && (await findInvitationByToken(tx, tokenHash));
  const people = await findPeople(tx, [person.id]);
  const refusal = refuseAcceptance(row, people.get(person.id));
  if (refusal || !row) throw refusal ?? problem('not_found');
  const { organisation_id: organisationId, invitation_id: invitationId, role } = row;
  if (await findMemberOfPerson(tx, organisationId, person.id)) {
    throw problem('conflict', { detail: 'You are already a member.' });
  }
  const organisation = await findOrganisation(tx, organisationId);
  const suspended = organisation?.suspended_reason ?? null;
  if (suspended !== null) throw problem('organisation_suspended', { detail: suspended });
  await markAccepted(tx, invitationId);
  await mailOwners(tx, services, { organisationId, personId: person.id, role, by: row.invited_by });
  await insertMember(tx, { organisationId, memberId: newUuid(), personId: person.id, role });
  return { row, name: organisation?.name ?? '' };
}
