// What each operation must answer to whom: written from the specification and the decisions on it, apart from the server's
// code. This file imports nothing, so that no mistake of the server can repeat itself here.

export const SCOPES = [
  'servers:read',
  'publications:read',
  'events:read',
  'roadmap:read',
  'tickets:create',
  'workflows:run',
] as const;
export type Scope = (typeof SCOPES)[number];

/** An installation that is absent was never made; a scope that is absent was never granted in it. */
export const GRANTS = ['absent', 'authorised', 'paused', 'revoked'] as const;
export type Grant = (typeof GRANTS)[number];
export interface Grants {
  installation: Grant;
  scopes: Readonly<Record<Scope, Grant>>;
}

export const KEYS = [
  'missing',
  'malformed',
  'unknown',
  'wrong secret',
  'other environment',
  'active',
  'without scope',
  'expired',
  'revoked',
  'rotated, not ended',
  'rotated, ended',
] as const;
export type KeyState = (typeof KEYS)[number];
export type AppState = 'active' | 'suspended';

/** Whose what a path names is, seen from the caller; what is malformed is no identifier at all. */
export const PLACES = ['own', 'sibling', 'foreign', 'missing', 'malformed'] as const;
export type Place = (typeof PLACES)[number];

export interface Expected {
  status: number;
  code?: string;
}
const refused = (status: number, code: string): Expected => ({ status, code });
const NOT_FOUND = refused(404, 'not_found');

// ---------------------------------------------------------------------------------------------------------------- /v1

interface ApiRule {
  /** Nothing: no key is looked at. A key: any valid one. */
  needs: 'nothing' | 'a key' | Scope;
  /** Whether a server that the path leads to has to allow it. */
  isOnServer?: boolean;
  status?: number;
}

export const API: Readonly<Record<string, ApiRule>> = {
  getMe: { needs: 'a key' },
  listServers: { needs: 'servers:read' },
  getServer: { needs: 'servers:read', isOnServer: true },
  listPublications: { needs: 'publications:read', isOnServer: true },
  getPublication: { needs: 'publications:read', isOnServer: true },
  listRoadmap: { needs: 'roadmap:read', isOnServer: true },
  getRoadmapItem: { needs: 'roadmap:read', isOnServer: true },
  createTicket: { needs: 'tickets:create', isOnServer: true, status: 201 },
  getTicket: { needs: 'tickets:create', isOnServer: true },
  listWorkflows: { needs: 'workflows:run', isOnServer: true },
  createWorkflowRun: { needs: 'workflows:run', isOnServer: true, status: 202 },
  getWorkflowRun: { needs: 'workflows:run', isOnServer: true },
  listEvents: { needs: 'events:read' },
  'listEvents of a server': { needs: 'events:read', isOnServer: true },
  getEvent: { needs: 'events:read', isOnServer: true },
  // It carries no resource: whatever the server grants, a valid key with the scope reads it.
  'getEvent of a ping': { needs: 'events:read' },
  getOpenapi: { needs: 'nothing' },
  getApiCatalog: { needs: 'nothing' },
  getProblemIndex: { needs: 'nothing' },
  getProblemPage: { needs: 'nothing' },
  getDeprecationPage: { needs: 'nothing' },
};

export interface ApiCell {
  operation: string;
  key: KeyState;
  app: AppState;
  /** Of what the path names, when it names something of an app. */
  place?: Place;
  grants?: Grants;
}

export function expectApi({ operation, key, app, place, grants }: ApiCell): Expected {
  const rule = API[operation];
  if (!rule) throw new Error(`The model has no rule for ${operation}.`);
  const allowed: Expected = { status: rule.status ?? 200 };
  if (rule.needs === 'nothing') return place === 'missing' ? NOT_FOUND : allowed;
  const refusal = judgeKey(key) ?? (app === 'suspended' ? refused(403, 'app_suspended') : undefined);
  if (refusal) return refusal;
  // Before anything that is asked for is looked at.
  if (rule.needs !== 'a key' && key === 'without scope') return refused(403, 'missing_scope');
  if (place !== undefined && place !== 'own') return NOT_FOUND;
  if (!rule.isOnServer || !grants || rule.needs === 'a key') return allowed;
  return judgeGrants(grants, rule.needs) ?? allowed;
}

/** What is wrong with a key itself is said before what is wrong with its app, and only to who has its secret. */
function judgeKey(key: KeyState): Expected | undefined {
  switch (key) {
    case 'missing':
      return refused(401, 'missing_key');
    case 'malformed':
    case 'unknown':
    case 'wrong secret':
      return refused(401, 'invalid_key');
    case 'other environment':
      return refused(401, 'wrong_environment');
    case 'expired':
      return refused(401, 'expired_key');
    case 'revoked':
    case 'rotated, ended':
      return refused(401, 'revoked_key');
    default:
      return undefined;
  }
}

/** The whole is judged before its part. */
function judgeGrants({ installation, scopes }: Grants, scope: Scope): Expected | undefined {
  if (installation === 'absent') return NOT_FOUND;
  if (installation === 'revoked') return refused(403, 'installation_revoked');
  if (installation === 'paused') return refused(403, 'installation_paused');
  if (scopes[scope] === 'absent') return refused(403, 'scope_not_authorised');
  if (scopes[scope] === 'revoked') return refused(403, 'installation_revoked');
  return scopes[scope] === 'paused' ? refused(403, 'installation_paused') : undefined;
}

/** Whether a list over all servers shows what needs this scope on one of them. */
export function isListed(grants: Grants, scope: Scope): boolean {
  return grants.installation === 'authorised' && grants.scopes[scope] === 'authorised';
}

// --------------------------------------------------------------------------------------------------- the management API

export const ROLES = ['owner', 'admin', 'developer', 'auditor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
/** A stranger is signed in and belongs to another organisation, as its owner. */
export const PEOPLE = [...ROLES, 'stranger', 'nobody'] as const;
export type Who = (typeof PEOPLE)[number];

const everyone: readonly Role[] = ROLES;
const builders: readonly Role[] = ['owner', 'admin', 'developer'];
const auditors: readonly Role[] = ['owner', 'admin', 'auditor'];

interface ConsoleRule {
  /** Anybody on the Console's page, whoever is signed in, or a member in one of these roles. */
  who: 'anybody' | 'signed in' | readonly Role[];
  status?: number;
  /** What is said of an object that is not the app's own, where the body names it and not the path. */
  other?: Expected;
}

const UNKNOWN_IN_BODY = refused(400, 'invalid_request');

export const CONSOLE: Readonly<Record<string, ConsoleRule>> = {
  getSession: { who: 'signed in' },
  createSession: { who: 'anybody', status: 204 },
  deleteSession: { who: 'signed in', status: 204 },
  redeemSignInLink: { who: 'anybody', status: 204 },
  setPassword: { who: 'signed in', status: 204 },
  createOrganisation: { who: 'signed in', status: 201 },
  listEnvironments: { who: 'signed in' },
  listAuditEntries: { who: auditors },
  listApps: { who: everyone },
  createApp: { who: builders, status: 201 },
  getApp: { who: everyone },
  listKeys: { who: everyone },
  createKey: { who: builders, status: 201 },
  updateKey: { who: builders },
  rotateKey: { who: builders, status: 201 },
  revokeKey: { who: builders },
  listInstallations: { who: everyone },
  listInstallationChanges: { who: everyone },
  setInstallation: { who: builders },
  setInstallationScope: { who: builders },
  listEndpoints: { who: everyone },
  createEndpoint: { who: builders, status: 201, other: UNKNOWN_IN_BODY },
  deleteEndpoint: { who: builders, status: 204 },
  listDeliveries: { who: everyone },
  getDelivery: { who: everyone },
  listRequests: { who: everyone },
  getRequest: { who: everyone },
  listDeprecatedUses: { who: everyone },
  getContract: { who: everyone },
  getWorld: { who: everyone },
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
  who: Who;
  /** Of what the path or the body names; undefined where it names no such thing. */
  organisation?: Place;
  app?: Place | 'suspended';
  object?: Place;
}

export function expectConsole({ operation, who, organisation, app, object }: ConsoleCell): Expected {
  const rule = CONSOLE[operation];
  if (!rule) throw new Error(`The model has no rule for ${operation}.`);
  const allowed: Expected = { status: rule.status ?? 200 };
  if (rule.who === 'anybody') return allowed;
  if (who === 'nobody') return refused(401, 'sign_in_required');
  if (rule.who === 'signed in') return allowed;
  // What is no identifier is refused before anything is looked up; in a body it is a mistake of form.
  if (organisation === 'malformed' || app === 'malformed') return NOT_FOUND;
  if (object === 'malformed') return rule.other ?? NOT_FOUND;
  if (who === 'stranger' || organisation !== 'own') return NOT_FOUND;
  if (!rule.who.includes(who)) return refused(403, 'role_not_allowed');
  if (app !== undefined && app !== 'own' && app !== 'suspended') return NOT_FOUND;
  if (object !== undefined && object !== 'own') return rule.other ?? NOT_FOUND;
  return allowed;
}

/** What a wished state comes to: authorised and paused go back and forth, revoked is final, and a new grant is authorised. */
export function expectGrantChange(current: Grant, wanted: Grant): Expected {
  const isOver = current === 'absent' || current === 'revoked';
  return isOver && wanted !== 'authorised' && wanted !== current ? refused(409, 'conflict') : { status: 200 };
}

/** A scope is changed only in an installation that is there. */
export function expectScopeChange(grants: Grants, scope: Scope, wanted: Grant): Expected {
  const isOver = grants.installation === 'absent' || grants.installation === 'revoked';
  return isOver ? refused(409, 'conflict') : expectGrantChange(grants.scopes[scope], wanted);
}

/** Only a key that gives access and has no successor is rotated. */
export const expectRotation = (key: KeyState): Expected =>
  key === 'active' ? { status: 201 } : refused(409, 'conflict');
