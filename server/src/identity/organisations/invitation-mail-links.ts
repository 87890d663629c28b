// The mailed link of an invitation proves the address, because the inviter never sees that link. Its holder can create
// an account with it.
import type { Queryable, Transaction } from '../../kit/db/db.ts';
import { hashInvitationToken, invitationUrl, newInvitationToken } from './invitation.ts';
import { findInvitationByToken, findNewestOpenInvitation, insertMailedLink } from './invitation-store.ts';
import { findOrganisation } from './store.ts';

/** Returns the address that the token proves, or undefined unless it is the mailed link of an open invitation. */
export async function findInvitedAddress(db: Queryable, token: string): Promise<string | undefined> {
  const row = await findInvitationByToken(db, hashInvitationToken(token));
  return row?.is_mailed && row.state === 'open' ? row.email : undefined;
}

/** Returns text for a mail to the address that names its newest open invitation, with a new link. */
export async function createInvitationText(
  tx: Transaction,
  email: string,
  consoleUrl: string,
): Promise<string | undefined> {
  const row = await findNewestOpenInvitation(tx, email);
  const organisation = row && (await findOrganisation(tx, row.organisation_id));
  if (!organisation) return undefined;
  const token = newInvitationToken();
  await insertMailedLink(tx, row.invitation_id, hashInvitationToken(token.reveal()));
  return `${row.invited_by} invites you to the organisation "${organisation.name}" with the role ${row.role}. To create your account and join it, open:\n\n${invitationUrl(consoleUrl, token)}`;
}
