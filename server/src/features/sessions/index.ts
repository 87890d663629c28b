// Sessions: who is signed in to the Console, and what that allows an operation to demand.
import { createSession } from './create-session.ts';
import { deleteSession } from './delete-session.ts';
import { getSession } from './get-session.ts';
import { redeemSignInLink } from './redeem-sign-in-link.ts';
import { setPassword } from './set-password.ts';

export const sessionOperations = [getSession, createSession, deleteSession, redeemSignInLink, setPassword];
export {
  type ConsoleServices,
  type EnvironmentInfo,
  type MemberContext,
  member,
  memberMay,
  type OrganisationContext,
  type PlaneAnswer,
  type PlaneCall,
  signedIn,
} from './access.ts';
export { createIdentity, type Identity, type Person } from './identity.ts';
export { Membership } from './person.ts';
export { findPeople, findRole, holdOrganisation, type PersonRow } from './store.ts';
