// How to call an operation of the management API if its path and the first example of its body are not enough. A new
// kind of object needs a line in object-kinds.ts.
import { newUuid, toId } from '../../src/kit/crypto/ids.ts';
import type { SweepServices } from './sweep-services.ts';
import { swept } from './swept.ts';

export interface NamedObjects {
  home: SweepServices;
  /** Identifiers by the names of path parameters and of `names`. */
  ids: Readonly<Record<string, string>>;
  /** The address of the caller, if the call uses up a person. */
  email: string | undefined;
}

export interface SweepInput {
  body?(named: NamedObjects): unknown;
  /** The kind of object that the body names. */
  names?: string;
  /** The objects that a call uses up or ends, by the name of their parameter. Each permitted call gets its own. */
  spends?: readonly ('person' | 'member' | 'appId' | (string & {}))[];
}

/** The version of a request that was created, edited and submitted. */
const SUBMITTED = 3;

const EMPTY_WORLD = { preset: 'empty', seed: 'a seed', epoch: 0 };

export const CALL_INPUTS: Readonly<Record<string, SweepInput>> = {
  createSession: { body: ({ home }) => home.withPassword },
  redeemSignInLink: { body: ({ home }) => home.newLink() },
  deleteSession: { spends: ['person'] },
  setPassword: { spends: ['person'] },
  // A person can make five requests a day.
  requestEmailChange: { spends: ['person'] },
  createKey: { body: () => ({ name: 'A key', scopes: swept.scopes.slice(0, 2), expiresInDays: 30 }) },
  rotateKey: { spends: ['keyId'] },
  revokeKey: { spends: ['keyId'] },
  setInstallation: { body: () => ({ state: 'authorised' }) },
  setInstallationScope: { body: () => ({ state: 'authorised' }) },
  createEndpoint: {
    names: 'keyId',
    body: ({ ids }) => ({ url: 'http://127.0.0.1:1/hooks', keyId: ids.keyId, eventTypes: [swept.eventTypes[1]] }),
  },
  forecastAccess: {
    names: 'endpointId',
    body: ({ ids }) => ({ endpoint: { endpointId: ids.endpointId, state: 'disabled' } }),
  },
  deleteEndpoint: { spends: ['endpointId'] },
  previewFilter: { body: () => ({ eventTypes: swept.eventTypes.slice(0, 1) }) },
  sendTestEvent: { body: () => ({ type: swept.eventTypes[0] }) },
  createDrill: { spends: ['endpointId'] },
  // During an overlap no second overlap can begin.
  rotateSigningSecret: { body: () => ({ overlapHours: 0 }) },
  redeliverDelivery: { spends: ['deliveryId'] },
  // The endpoint of the named app: only the event varies.
  sendEvent: {
    spends: ['eventId'],
    body: ({ home, ids }) => {
      const app = Object.values(home.apps).find(({ id }) => id === ids.appId) ?? home.apps.own;
      return { endpointId: app.objects.endpointId };
    },
  },
  createFault: { body: () => ({ operationId: null, share: 0, effect: { reset: true } }) },
  updateFault: { body: () => ({ share: 0 }) },
  deleteFault: { spends: ['faultId'] },
  resetWorld: { spends: ['appId'], body: () => EMPTY_WORLD },
  endSessions: { spends: ['person'] },
  enrolSecondFactor: { spends: ['person'] },
  suspendOrganisation: { spends: ['organisationId'] },
  resumeOrganisation: { spends: ['organisationId'] },
  setQuotas: { spends: ['organisationId'] },
  revokeAccessToken: { spends: ['accessTokenId'] },
  deleteNoticeDestination: { spends: ['destinationId'] },
  testNoticeDestination: { spends: ['destinationId'] },
  deleteSavedView: { spends: ['savedViewId'] },
  updateApp: { body: () => ({ name: 'An app' }) },
  suspendApp: { spends: ['appId'] },
  resumeApp: { spends: ['appId'] },
  deleteApp: { spends: ['appId'] },
  restoreApp: { spends: ['appId'] },
  leaveOrganisation: { spends: ['member'] },
  transferOwnership: {
    spends: ['member', 'memberId'],
    names: 'memberId',
    body: ({ ids }) => ({ memberId: ids.memberId }),
  },
  changeMember: { body: () => ({ role: 'viewer' }) },
  removeMember: { spends: ['memberId'], body: () => ({ keys: 'keep' }) },
  createInvitation: { body: () => ({ email: 'somebody@example.org', role: 'viewer' }) },
  acceptInvitation: { spends: ['person'], body: ({ home, email }) => email && home.newInvitation(email) },
  createLiveAccessRequest: { body: ({ home }) => ({ appId: home.apps.own.id }) },
  updateLiveAccessRequest: { body: () => ({ version: 1, scopes: [], contacts: [] }) },
  submitLiveAccessRequest: { body: () => ({ version: 1 }) },
  withdrawLiveAccessRequest: { spends: ['liveAccessRequestId'], body: () => ({ version: SUBMITTED }) },
  requestLiveAccessChanges: {
    spends: ['liveAccessRequestId'],
    body: () => ({ version: SUBMITTED, reason: 'More.' }),
  },
  approveLiveAccess: {
    spends: ['liveAccessRequestId'],
    body: () => ({ version: SUBMITTED, scopes: swept.scopes.slice(0, 1), maxServers: null }),
  },
  revokeLiveAccess: { body: () => ({ reason: 'No.', scopes: swept.scopes.slice(0, 1) }) },
  rejectLiveAccessRequest: { spends: ['liveAccessRequestId'], body: () => ({ version: SUBMITTED, reason: 'No.' }) },
  createCall: { names: 'keyId', body: ({ ids }) => ({ keyId: ids.keyId, method: 'GET', path: '/v1/me' }) },
};

/** Path parameters that are not objects. */
export const FIXED_PARAMETERS: Readonly<Record<string, string>> = {
  scope: swept.scopes[0] ?? '',
  operationId: 'getMe',
  deprecationId: swept.deprecationId,
  sessionId: 'somebody-elses-session-of-today',
  // Nobody's: a passkey belongs to a person, not to an organisation.
  passkeyId: toId('pky', newUuid()),
};
