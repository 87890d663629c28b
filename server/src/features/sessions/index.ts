// Sessions: who is signed in to the Console, and what that allows an operation to demand.
import { createAccessToken } from './create-access-token.ts';
import { createSession } from './create-session.ts';
import { deleteSession } from './delete-session.ts';
import { getSession } from './get-session.ts';
import { listAccessTokens } from './list-access-tokens.ts';
import { redeemSignInLink } from './redeem-sign-in-link.ts';
import { revokeAccessToken } from './revoke-access-token.ts';
import { setPassword } from './set-password.ts';

export const sessionOperations = [
  getSession,
  createSession,
  deleteSession,
  redeemSignInLink,
  setPassword,
  listAccessTokens,
  createAccessToken,
  revokeAccessToken,
];
export {
  type ConsoleServices,
  type EnvironmentInfo,
  type MemberContext,
  member,
  type PlaneAnswer,
  type PlaneCall,
  signedIn,
} from './access.ts';
export { createIdentity, type Identity, type Person } from './identity.ts';
export { memberMay, memberReads, type OrganisationContext } from './member-may.ts';
export { Membership } from './person.ts';
export { findPeople, holdOrganisation, type PersonRow } from './store.ts';
