// What each operation of /v1 must answer to whom: written from the specification and the decisions on it, apart from the
// server's code. This file imports nothing, so that no mistake of the server can repeat itself here.

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
/** One that is being deleted can still be restored; one that has ended is not there. */
export const APP_STATES = ['active', 'suspended', 'deleting'] as const;
export type AppState = (typeof APP_STATES)[number];

/** Whose what a path names is, seen from the caller; what is malformed is no identifier at all. */
export const PLACES = ['own', 'sibling', 'foreign', 'missing', 'malformed'] as const;
export type Place = (typeof PLACES)[number];

export interface Expected {
  status: number;
  code?: string;
}
export const refused = (status: number, code: string): Expected => ({ status, code });
export const NOT_FOUND = refused(404, 'not_found');

interface ApiRule {
  /** Nothing: no key is looked at. A key: any valid one. */
  needs: 'nothing' | 'a key' | Scope;
  /** Whether a server that the path leads to has to allow it. */
  isOnServer?: boolean;
  /** The scope of the resource that the operation also shows, which the server must allow too. */
  resource?: Scope;
  status?: number;
  /** What it answers whoever cannot prove what it demands besides, which nobody here can. */
  always?: Expected;
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
  // The event is one of a ticket.
  getEvent: { needs: 'events:read', resource: 'tickets:create', isOnServer: true },
  // It carries no resource: whatever the server grants, a valid key with the scope reads it.
  'getEvent of a ping': { needs: 'events:read' },
  getOpenapi: { needs: 'nothing' },
  getApiCatalog: { needs: 'nothing' },
  getProblemIndex: { needs: 'nothing' },
  getProblemPage: { needs: 'nothing' },
  getDeprecationIndex: { needs: 'nothing' },
  getDeprecationPage: { needs: 'nothing' },
  // What it is told of is in the body: expectReport.
  reportLeakedKey: { needs: 'nothing', always: refused(401, 'invalid_key') },
  reportGithubMatches: { needs: 'nothing', always: refused(400, 'invalid_request') },
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
  if (rule.always) return rule.always;
  if (rule.needs === 'nothing') return place === 'missing' ? NOT_FOUND : allowed;
  const refusal = judgeKey(key) ?? (app === 'active' ? undefined : refused(403, 'app_suspended'));
  if (refusal) return refusal;
  // Before anything that is asked for is looked at.
  if (rule.needs !== 'a key' && key === 'without scope') return refused(403, 'missing_scope');
  if (place !== undefined && place !== 'own') return NOT_FOUND;
  if (!rule.isOnServer || !grants || rule.needs === 'a key') return allowed;
  const ofResource = rule.resource && judgeGrants(grants, rule.resource);
  return judgeGrants(grants, rule.needs) ?? ofResource ?? allowed;
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

/** Returns true if a list over all servers shows objects that need these scopes on one of the servers. */
export function isListed(grants: Grants, scopes: readonly Scope[]): boolean {
  return grants.installation === 'authorised' && scopes.every((scope) => grants.scopes[scope] === 'authorised');
}

/** Whoever has a key can end it, whatever has become of it and of its app; what is no key is not told apart. */
export function expectReport(key: KeyState): Expected {
  const refusal = judgeKey(key);
  return refusal?.code === 'expired_key' || refusal?.code === 'revoked_key' || !refusal ? { status: 200 } : refusal;
}
