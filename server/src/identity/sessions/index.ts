// Sessions: the signed-in caller of the Console, and the access that an operation can require.
import { beginPasskeyRegistration } from './begin-passkey-registration.ts';
import { beginPasskeySignIn } from './begin-passkey-sign-in.ts';
import { cancelMailedRemoval } from './cancel-mailed-removal.ts';
import { cancelSecondFactorRemoval } from './cancel-second-factor-removal.ts';
import { completeSignIn } from './complete-sign-in.ts';
import { confirmSecondFactor } from './confirm-second-factor.ts';
import { createAccessToken } from './create-access-token.ts';
import { createPasskey } from './create-passkey.ts';
import { createPasskeyChallenge } from './create-passkey-challenge.ts';
import { createSession } from './create-session.ts';
import { deleteSession } from './delete-session.ts';
import { disableSecondFactor } from './disable-second-factor.ts';
import { endSession } from './end-session.ts';
import { endSessions } from './end-sessions.ts';
import { enrolSecondFactor } from './enrol-second-factor.ts';
import { getCaller } from './get-caller.ts';
import { getSession } from './get-session.ts';
import { listAccessTokens } from './list-access-tokens.ts';
import { listPasskeys } from './list-passkeys.ts';
import { listSessions } from './list-sessions.ts';
import { redeemSignInLink } from './redeem-sign-in-link.ts';
import { removePasskey } from './remove-passkey.ts';
import { requestSecondFactorRemoval } from './request-second-factor-removal.ts';
import { revokeAccessToken } from './revoke-access-token.ts';
import { setPassword } from './set-password.ts';
import { updatePerson } from './update-person.ts';
import { verifySecondFactor } from './verify-second-factor.ts';

export const sessionOperations = [
  getSession,
  updatePerson,
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
  verifySecondFactor,
  disableSecondFactor,
  requestSecondFactorRemoval,
  cancelSecondFactorRemoval,
  cancelMailedRemoval,
  beginPasskeySignIn,
  listPasskeys,
  beginPasskeyRegistration,
  createPasskey,
  createPasskeyChallenge,
  removePasskey,
  listAccessTokens,
  createAccessToken,
  revokeAccessToken,
];
export { lockPerson } from './access-epoch-store.ts';
export { AccessToken, exampleAccessToken, TOKEN_DAYS, TokenScope } from './access-token.ts';
export { allowPersonOrToken } from './caller-access.ts';
export {
  allowMember,
  allowPerson,
  allowVisitor,
  type ConsoleServices,
  type MemberContext,
  type PlaneResponse,
} from './console-access.ts';
export { isEmailTaken, listEarlierEmails, updateEmail } from './email-store.ts';
export { EndedAccess, endAccess, exampleEndedAccess } from './end-access.ts';
export { lockOrganisationsOf } from './ended-access-store.ts';
export { hasOrHadFactor, requireFreshFactor, requireLiveSession, requireReauthentication } from './fresh-factor.ts';
export { createIdentity, type Identity, type Person, type Visitor } from './identity.ts';
export { issueAccessToken, requireTokenQuota } from './issue-access-token.ts';
export { composeProviderUnlinkedMail } from './mails.ts';
export {
  allowMemberChange,
  allowMemberRead,
  allowMemberWrite,
  type ConsoleOrganisationContext,
} from './member-access.ts';
export { allowMemberStream, type PlaneReader, type StreamContext, toConsoleProblem } from './member-stream-access.ts';
export {
  claimLegacyLinks,
  deleteProviderLinks,
  findLinkedPerson,
  insertProviderLink,
} from './provider-link-store.ts';
export { runRemovals, startRemovals } from './remove-second-factors.job.ts';
export { countSecurityChange } from './security-change-store.ts';
export { Membership, SIGN_IN_REPLIES, signInReply } from './session-body.ts';
export { findMembership, findPeople, lockConsoleOrganisation, type PersonRow } from './store.ts';
export { STREAM_LIMITS } from './stream-limits.ts';
