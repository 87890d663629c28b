// The expected response of each operation of the management API by caller. This file is of the same kind as model.ts
// and imports nothing else.
import { type ExpectedResponse, NOT_FOUND, type ObjectOwner, refused } from './model.ts';

export const ROLES = ['owner', 'admin', 'developer', 'auditor', 'viewer'] as const;
export type SweepRole = (typeof ROLES)[number];
/** A stranger is signed in and owns another organisation; an operator belongs to none. */
export const CALLER_KINDS = [...ROLES, 'stranger', 'operator', 'nobody'] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

const everyone: readonly SweepRole[] = ROLES;
const builders: readonly SweepRole[] = ['owner', 'admin', 'developer'];
const managers: readonly SweepRole[] = ['owner', 'admin'];
const auditors: readonly SweepRole[] = ['owner', 'admin', 'auditor'];

interface ConsoleRule {
  /**
   * The permitted callers: any visitor of the Console's page, any signed-in person, an operator, or a member in one of
   * these roles.
   */
  who: 'anybody' | 'signed in' | 'operator' | readonly SweepRole[];
  status?: number;
  /** The problem code if the request of the sweep is refused for its content. */
  code?: string;
  /** The roles for which the object of their own organisation exists; not found for all others. */
  isThereFor?: readonly SweepRole[];
  /** The response for a suspended app, if that matters. */
  suspended?: ExpectedResponse;
  /** The response for an app that is being deleted. */
  deleting?: ExpectedResponse;
  /** The response for an object of another app, if the body names the object and not the path. */
  other?: ExpectedResponse;
}

const CONFLICT = refused(409, 'conflict');
const UNKNOWN_IN_BODY = refused(400, 'invalid_request');

export const CONSOLE: Readonly<Record<string, ConsoleRule>> = {
  getSession: { who: 'signed in' },
  getCaller: { who: 'signed in' },
  createSession: { who: 'anybody', status: 204 },
  deleteSession: { who: 'signed in', status: 204 },
  redeemSignInLink: { who: 'anybody', status: 204 },
  setPassword: { who: 'signed in', status: 204 },
  updatePerson: { who: 'signed in', status: 204 },
  createOrganisation: { who: 'signed in', status: 201 },
  completeSignIn: { who: 'anybody', status: 401, code: 'second_factor_failed' },
  listSessions: { who: 'signed in' },
  // The session of another person is not found.
  endSession: { who: 'signed in', status: 404, code: 'not_found' },
  endSessions: { who: 'signed in' },
  enrolSecondFactor: { who: 'signed in', status: 201 },
  confirmSecondFactor: { who: 'signed in', status: 401, code: 'second_factor_failed' },
  verifySecondFactor: { who: 'signed in', status: 409, code: 'conflict' },
  disableSecondFactor: { who: 'signed in', status: 409, code: 'conflict' },
  beginPasskeySignIn: { who: 'anybody', status: 401, code: 'second_factor_failed' },
  listPasskeys: { who: 'signed in' },
  // No recovery codes were issued.
  beginPasskeyRegistration: { who: 'signed in', status: 409, code: 'conflict' },
  createPasskey: { who: 'signed in', status: 401, code: 'second_factor_failed' },
  createPasskeyChallenge: { who: 'signed in', status: 409, code: 'conflict' },
  removePasskey: { who: 'signed in', status: 404, code: 'not_found' },
  requestSecondFactorRemoval: { who: 'signed in', status: 409, code: 'conflict' },
  cancelSecondFactorRemoval: { who: 'signed in', status: 404, code: 'not_found' },
  cancelMailedRemoval: { who: 'anybody', status: 410, code: 'link_invalid' },
  requestSignUp: { who: 'anybody', status: 202 },
  createAccount: { who: 'anybody', status: 410, code: 'link_invalid' },
  requestPasswordReset: { who: 'anybody', status: 202 },
  resetPassword: { who: 'anybody', status: 410, code: 'link_invalid' },
  requestEmailChange: { who: 'signed in', status: 202 },
  confirmEmailChange: { who: 'signed in', status: 410, code: 'link_invalid' },
  undoEmailChange: { who: 'anybody', status: 410, code: 'link_invalid' },
  listProviders: { who: 'anybody' },
  beginProviderSignIn: { who: 'anybody', status: 404, code: 'not_found' },
  completeProviderSignIn: { who: 'anybody', status: 404, code: 'not_found' },
  beginProviderLink: { who: 'signed in', status: 404, code: 'not_found' },
  removeProviderLink: { who: 'signed in', status: 404, code: 'not_found' },
  listMessages: { who: 'operator' },
  getMessage: { who: 'operator' },
  getSignUpPolicy: { who: 'operator' },
  setSignUpPolicy: { who: 'operator' },
  listOrganisations: { who: 'operator' },
  suspendOrganisation: { who: 'operator' },
  resumeOrganisation: { who: 'operator' },
  setQuotas: { who: 'operator' },
  listUnauthenticatedRequests: { who: 'operator' },
  listUpstreamFailures: { who: 'operator' },
  listLiveAccess: { who: everyone },
  listLiveAccessRequests: { who: everyone },
  // The app already has an open request.
  createLiveAccessRequest: { who: managers, status: 409, code: 'conflict' },
  getLiveAccessRequest: { who: everyone },
  // A submitted request is frozen.
  updateLiveAccessRequest: { who: managers, status: 409, code: 'conflict' },
  submitLiveAccessRequest: { who: managers, status: 409, code: 'conflict' },
  withdrawLiveAccessRequest: { who: managers },
  // No reviewer has decided.
  readLiveAccessDecision: { who: builders, status: 409, code: 'conflict' },
  getEvidence: { who: everyone },
  listLiveAccessReviews: { who: 'operator' },
  getLiveAccessReview: { who: 'operator' },
  requestLiveAccessChanges: { who: 'operator' },
  approveLiveAccess: { who: 'operator' },
  rejectLiveAccessRequest: { who: 'operator' },
  // An app without an approval has nothing to suspend or revoke.
  suspendLiveAccess: { who: 'operator', status: 409, code: 'conflict' },
  resumeLiveAccess: { who: 'operator', status: 409, code: 'conflict' },
  revokeLiveAccess: { who: 'operator', status: 409, code: 'conflict' },
  listEnvironments: { who: 'signed in' },
  listRoles: { who: 'signed in' },
  leaveOrganisation: { who: everyone },
  // Deletion requires the organisation's name.
  deleteOrganisation: { who: ['owner'], status: 400, code: 'invalid_request' },
  restoreOrganisation: { who: ['owner'] },
  getOrganisationDeletion: { who: everyone },
  exportOrganisation: { who: ['owner'] },
  explainAccess: { who: everyone },
  updateOrganisation: { who: managers },
  transferOwnership: { who: ['owner'], other: UNKNOWN_IN_BODY },
  listMembers: { who: everyone },
  changeMember: { who: managers },
  removeMember: { who: managers },
  listInvitations: { who: everyone },
  createInvitation: { who: managers, status: 201 },
  revokeInvitation: { who: managers },
  acceptInvitation: { who: 'signed in' },
  previewInvitation: { who: 'anybody', status: 404, code: 'not_found' },
  revokeKeysMadeBy: { who: builders },
  listAccessTokens: { who: everyone },
  createAccessToken: { who: everyone, status: 201 },
  // The token belongs to a viewer. It exists for the viewer and for members who manage members.
  revokeAccessToken: { who: everyone, status: 204, isThereFor: ['owner', 'admin', 'viewer'] },
  startDeviceSignIn: { who: 'anybody', status: 201 },
  pollDeviceSignIn: { who: 'anybody' },
  // No terminal shows the code of the example.
  findDeviceSignIn: { who: 'signed in', status: 404, code: 'not_found' },
  denyDeviceSignIn: { who: 'signed in', status: 404, code: 'not_found' },
  approveDeviceSignIn: { who: everyone, status: 404, code: 'not_found' },
  listNotices: { who: everyone },
  readNotice: { who: builders },
  getNoticeMailSettings: { who: everyone },
  setNoticeMailSettings: { who: everyone },
  listNoticeDestinations: { who: everyone },
  createNoticeDestination: { who: builders, status: 201 },
  updateNoticeDestination: { who: builders },
  deleteNoticeDestination: { who: builders, status: 204 },
  testNoticeDestination: { who: builders, status: 202 },
  listSavedViews: { who: everyone },
  saveView: { who: everyone },
  // The view belongs to a viewer. It exists for no other member.
  deleteSavedView: { who: everyone, status: 204, isThereFor: ['viewer'] },
  listRevocationReceipts: { who: everyone },
  getRevocationReceipt: { who: everyone },
  listAuditEntries: { who: auditors },
  listAuditLog: { who: auditors },
  exportAuditLog: { who: auditors },
  exportAuditTable: { who: auditors },
  listApps: { who: everyone },
  createApp: { who: builders, status: 201 },
  getApp: { who: everyone },
  updateApp: { who: builders },
  suspendApp: { who: builders, deleting: CONFLICT },
  resumeApp: { who: builders, deleting: CONFLICT },
  deleteApp: { who: managers },
  restoreApp: { who: managers },
  listKeys: { who: everyone },
  createKey: { who: builders, status: 201, deleting: CONFLICT },
  updateKey: { who: builders },
  rotateKey: { who: builders, status: 201 },
  revokeKey: { who: builders },
  listInstallations: { who: everyone },
  listInstallationChanges: { who: everyone },
  changeInstallations: { who: builders },
  setInstallation: { who: builders },
  setInstallationScope: { who: builders },
  listEndpoints: { who: everyone },
  createEndpoint: { who: builders, status: 201, other: UNKNOWN_IN_BODY },
  getEndpoint: { who: everyone },
  getAttemptHistogram: { who: everyone },
  updateEndpoint: { who: builders },
  deleteEndpoint: { who: builders, status: 204 },
  previewSchemaVersion: { who: everyone },
  previewFilter: { who: everyone },
  forecastAccess: { who: everyone, other: UNKNOWN_IN_BODY },
  getKeyActivity: { who: everyone },
  sendTestEvent: { who: builders, status: 201 },
  sendEvent: { who: builders, status: 201 },
  // The endpoint is not a listener, so nothing is relayed.
  exchangeRelays: { who: builders },
  listDrills: { who: everyone },
  // Nothing is sent to an endpoint of an app without access.
  createDrill: { who: builders, status: 202, suspended: CONFLICT, deleting: CONFLICT },
  getDrill: { who: everyone },
  revealSigningSecret: { who: builders },
  rotateSigningSecret: { who: builders },
  endPreviousSecret: { who: builders, status: 204 },
  diagnoseSignature: { who: everyone },
  listDeliveries: { who: everyone },
  getDelivery: { who: everyone },
  redeliverDelivery: { who: builders, status: 201 },
  listRedeliveries: { who: everyone },
  createRedelivery: { who: builders }, // asks only for the number of redeliveries
  getRedelivery: { who: everyone },
  updateRedelivery: { who: builders },
  listRequests: { who: everyone },
  getRequest: { who: everyone },
  getTrace: { who: everyone },
  listAppEvents: { who: everyone },
  getEventTypes: { who: everyone },
  getRequestSnippets: { who: everyone },
  tailRequests: { who: everyone },
  followChanges: { who: everyone },
  exportRequests: { who: everyone },
  exportRequestTable: { who: everyone },
  replayRequest: { who: builders },
  revealCapture: { who: builders },
  getRequestGroups: { who: everyone },
  getRequestHistogram: { who: everyone },
  getRequestValues: { who: everyone },
  listRecordGaps: { who: everyone },
  listDeprecatedUses: { who: everyone },
  answerDeprecation: { who: builders },
  getEventScopes: { who: everyone },
  enforceEventScopes: { who: builders },
  getContract: { who: everyone },
  getWorld: { who: everyone },
  listWorldObjects: { who: everyone },
  getWorldObject: { who: everyone },
  resetWorld: { who: builders },
  setWorldClock: { who: builders },
  triggerEvent: { who: builders, status: 201 },
  createCall: { who: builders, other: UNKNOWN_IN_BODY },
  listFaults: { who: everyone },
  createFault: { who: builders, status: 201 },
  updateFault: { who: builders },
  deleteFault: { who: builders, status: 204 },
};

export interface ConsoleCell {
  operation: string;
  who: CallerKind;
  /** The owner of the organisation in the path or the body; undefined if the operation names none. */
  organisation?: ObjectOwner;
  app?: ObjectOwner | 'suspended' | 'deleting' | 'ended';
  object?: ObjectOwner;
}

export function expectConsole({ operation, who, organisation, app, object }: ConsoleCell): ExpectedResponse {
  const rule = CONSOLE[operation];
  if (!rule) throw new Error(`The model has no rule for ${operation}.`);
  const allowed: ExpectedResponse = { status: rule.status ?? 200, ...(rule.code !== undefined && { code: rule.code }) };
  if (rule.who === 'anybody') return allowed;
  if (who === 'nobody') return refused(401, 'sign_in_required');
  if (rule.who === 'signed in') return allowed;
  if (rule.who === 'operator') {
    if (who !== 'operator') return refused(403, 'operator_required');
    return [organisation, object].some((place) => place === 'missing' || place === 'malformed') ? NOT_FOUND : allowed;
  }
  // An invalid identifier is refused before any look-up; in a body it is an invalid request.
  if (organisation === 'malformed' || app === 'malformed') return NOT_FOUND;
  if (object === 'malformed') return rule.other ?? NOT_FOUND;
  if (who === 'stranger' || who === 'operator' || organisation !== 'own') return NOT_FOUND;
  if (!rule.who.includes(who)) return refused(403, 'role_not_allowed');
  if (app !== undefined && app !== 'own' && app !== 'suspended' && app !== 'deleting') return NOT_FOUND;
  if (rule.isThereFor && !rule.isThereFor.includes(who)) return NOT_FOUND;
  if (object !== undefined && object !== 'own') return rule.other ?? NOT_FOUND;
  if (app === 'suspended' && rule.suspended) return rule.suspended;
  if (app === 'deleting' && rule.deleting) return rule.deleting;
  return allowed;
}
