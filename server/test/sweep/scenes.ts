// How an operation of the management API is called where its path and the first example of its body do not say it all. One
// that names a new kind of object needs a line in kinds.ts.
import type { Home } from './home.ts';

export interface Named {
  home: Home;
  /** By the names of the path's parameters, and of `names`. */
  ids: Readonly<Record<string, string>>;
  /** Of whom the call is, where they are spent. */
  email: string | undefined;
}

export interface Scene {
  body?(named: Named): unknown;
  /** The kind of object that the body names, as the paths of others do. */
  names?: string;
  /** What a call uses up or ends, by the name of its parameter, so that each that is allowed has one of its own. */
  spends?: readonly ('person' | 'member' | 'appId' | (string & {}))[];
}

/** Of a request that was drafted, edited and submitted. */
const SUBMITTED = 3;

const EMPTY_WORLD = { preset: 'empty', seed: 'a seed', epoch: 0 };

export const SCENES: Readonly<Record<string, Scene>> = {
  createSession: { body: ({ home }) => home.withPassword },
  redeemSignInLink: { body: ({ home }) => home.newLink() },
  deleteSession: { spends: ['person'] },
  setPassword: { spends: ['person'] },
  rotateKey: { spends: ['keyId'] },
  revokeKey: { spends: ['keyId'] },
  setInstallation: { body: () => ({ state: 'authorised' }) },
  setInstallationScope: { body: () => ({ state: 'authorised' }) },
  createEndpoint: {
    names: 'keyId',
    body: ({ ids }) => ({ url: 'http://127.0.0.1:1/hooks', keyId: ids.keyId, eventTypes: ['ticket.closed'] }),
  },
  deleteEndpoint: { spends: ['endpointId'] },
  createDrill: { spends: ['endpointId'] },
  // Within an overlap there is no second one.
  rotateSigningSecret: { body: () => ({ overlapHours: 0 }) },
  redeliverDelivery: { spends: ['deliveryId'] },
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
    body: () => ({ version: SUBMITTED, scopes: ['servers:read'], maxServers: null }),
  },
  rejectLiveAccessRequest: { spends: ['liveAccessRequestId'], body: () => ({ version: SUBMITTED, reason: 'No.' }) },
  createCall: { names: 'keyId', body: ({ ids }) => ({ keyId: ids.keyId, method: 'GET', path: '/v1/me' }) },
};

/** What paths name that is no object. */
export const WORDS: Readonly<Record<string, string>> = {
  scope: 'servers:read',
  operationId: 'getMe',
  sessionId: 'somebody-elses-session-of-today',
};
