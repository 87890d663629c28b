// Sessions: the signed-in caller of the Console, and the access that an operation can require.
import { cancelMailedRemoval } from './cancel-mailed-removal.ts';
import { cancelSecondFactorRemoval } from './cancel-second-factor-removal.ts';
import { completeSignIn } from './complete-sign-in.ts';
import { confirmSecondFactor } from './confirm-second-factor.ts';
import { createAccessToken } from './create-access-token.ts';
import { createSession } from './create-session.ts';
import { deleteSession } from './delete-session.ts';
import { disableSecondFactor } from './disable-second-factor.ts';
import { endSession } from './end-session.ts';
import { endSessions } from './end-sessions.ts';
import { enrolSecondFactor } from './enrol-second-factor.ts';
import { getCaller } from './get-caller.ts';
import { getSession } from './get-session.ts';
import { listAccessTokens } from './list-access-tokens.ts';
import { listSessions } from './list-sessions.ts';
import { proveSecondFactor } from './prove-second-factor.ts';
import { redeemSignInLink } from './redeem-sign-in-link.ts';
import { requestSecondFactorRemoval } from './request-second-factor-removal.ts';
import { revokeAccessToken } from './revoke-access-token.ts';
import { setPassword } from './set-password.ts';

export const sessionOperations = [
  getSession,
  getCaller,
  createSession,
  completeSignIn,
  deleteSession,
  redeemSignInLink,
  setPassword,
  listSessions,
  endSession,
  endSessions,
  enrolSecondFactor,
  confirmSecondFactor,
  proveSecondFactor,
  disableSecondFactor,
  requestSecondFactorRemoval,
  cancelSecondFactorRemoval,
  cancelMailedRemoval,
  listAccessTokens,
  createAccessToken,
  revokeAccessToken,
];
export {
  type ConsoleServices,
  type EnvironmentInfo,
  type MemberContext,
  member,
  type PersonContext,
  type PlaneAnswer,
  type PlaneCall,
  signedIn,
  visitor,
} from './access.ts';
export { AccessToken, exampleAccessToken, TOKEN_DAYS, TokenScope } from './access-token.ts';
export { caller } from './caller.ts';
export { EndedAccess, endAccess, exampleEndedAccess } from './end-access.ts';
export { hasHadFactor, requireFreshFactor, requireIdentityProof, requireLiveSession } from './fresh-factor.ts';
export { createIdentity, type Identity, type Person, type Visitor } from './identity.ts';
export { mailOfUnlink } from './mails.ts';
export { makeAccessToken, refuseManyTokens } from './make-access-token.ts';
export { type Ask, type FollowContext, memberFollows, refusalOf } from './member-follows.ts';
export { memberMay, memberReads, type OrganisationContext } from './member-may.ts';
export { Membership, SIGN_IN_REPLIES, signInReply } from './person.ts';
export {
  claimLegacyLinks,
  deleteProviderLinks,
  findLinkedPerson,
  insertProviderLink,
} from './provider-link-store.ts';
export { type RemovalOptions, runRemovals, startRemovals } from './remove-second-factors.job.ts';
export { countSecurityChange } from './security-change-store.ts';
export { findMembership, findPeople, holdOrganisation, type PersonRow } from './store.ts';
export { STREAM_LIMITS } from './stream-limits.ts';
