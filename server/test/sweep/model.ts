// The expected response of each operation of /v1 by caller, written from the specification and the decisions,
// independently of the server's code. This file imports nothing, so that no mistake of the server can repeat itself
// here. The rules of an operator's contract are in spaces-model.ts.

export const SCOPES = [
  'servers:read',
  'publications:read',
  'events:read',
  'roadmap:read',
  'tickets:create',
  'workflows:run',
] as const;
export type SweepScope = (typeof SCOPES)[number];

/** An absent installation was never made; an absent scope was never granted in the installation. */
export const GRANTS = ['absent', 'authorised', 'paused', 'revoked'] as const;
export type SweepGrant = (typeof GRANTS)[number];
export interface Grants {
  installation: SweepGrant;
  scopes: Readonly<Record<string, SweepGrant>>;
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
export type SweepKey = (typeof KEYS)[number];
/** An app that is being deleted can still be restored. An erased app does not exist. */
export const APP_STATES = ['active', 'suspended', 'deleting'] as const;
export type AppState = (typeof APP_STATES)[number];

/** The owner of the object in the path, relative to the caller. A malformed identifier is none at all. */
export const OBJECT_OWNERS = ['own', 'sibling', 'foreign', 'missing', 'malformed'] as const;
export type ObjectOwner = (typeof OBJECT_OWNERS)[number];

export interface ExpectedResponse {
  status: number;
  code?: string;
}
export const refused = (status: number, code: string): ExpectedResponse => ({ status, code });
export const NOT_FOUND = refused(404, 'not_found');

export interface ApiRule {
  /** The required credential: `nothing` if no key is checked, `a key` for any valid one, or each required scope. */
  needs: 'nothing' | 'a key' | readonly string[];
  /** True if the operation needs the grants of the server to which the path or the body leads. */
  isOnServer?: boolean;
  /** True if the operation needs the grants of the account of the app. */
  isOnAccount?: boolean;
  /** The scope of the resource that the operation also shows, which the server must allow too. */
  resource?: string;
  status?: number;
  /** The response without further evidence, which no caller of the sweep has. */
  always?: ExpectedResponse;
}

/** The rules of the platform's own operations, which every contract has. */
export const PLATFORM: Readonly<Record<string, ApiRule>> = {
  getMe: { needs: 'a key' },
  listEvents: { needs: ['events:read'] },
  'listEvents of a server': { needs: ['events:read'], isOnServer: true },
  // The event has no resource: a valid key with the scope reads it with any grant of the server.
  'getEvent of a ping': { needs: ['events:read'] },
  getOpenapi: { needs: 'nothing' },
  getApiCatalog: { needs: 'nothing' },
  getReceiptKeys: { needs: 'nothing' },
  getProblemIndex: { needs: 'nothing' },
  getProblemPage: { needs: 'nothing' },
  getDeprecationIndex: { needs: 'nothing' },
  getDeprecationPage: { needs: 'nothing' },
  // The body names the key: see expectReport.
  reportLeakedKey: { needs: 'nothing', always: refused(401, 'invalid_key') },
  reportGithubMatches: { needs: 'nothing', always: refused(400, 'invalid_request') },
};

export const API: Readonly<Record<string, ApiRule>> = {
  ...PLATFORM,
  listServers: { needs: ['servers:read'] },
  getServer: { needs: ['servers:read'], isOnServer: true },
  listPublications: { needs: ['publications:read'], isOnServer: true },
  getPublication: { needs: ['publications:read'], isOnServer: true },
  listRoadmap: { needs: ['roadmap:read'], isOnServer: true },
  getRoadmapItem: { needs: ['roadmap:read'], isOnServer: true },
  listTickets: { needs: ['tickets:create'], isOnServer: true },
  createTicket: { needs: ['tickets:create'], isOnServer: true, status: 201 },
  getTicket: { needs: ['tickets:create'], isOnServer: true },
  listWorkflows: { needs: ['workflows:run'], isOnServer: true },
  createWorkflowRun: { needs: ['workflows:run'], isOnServer: true, status: 202 },
  getWorkflowRun: { needs: ['workflows:run'], isOnServer: true },
  // The event is one of a ticket.
  getEvent: { needs: ['events:read'], resource: 'tickets:create', isOnServer: true },
};

export interface ApiCell {
  key: SweepKey;
  app: AppState;
  /** The owner of the object in the path; undefined if the path names no object of an app. */
  place?: ObjectOwner;
  grants?: Grants;
}

/** Returns the scopes that a key needs. */
export const scopesOf = ({ needs }: ApiRule): readonly string[] => (typeof needs === 'string' ? [] : needs);

export function expectApi(rule: ApiRule, { key, app, place, grants }: ApiCell): ExpectedResponse {
  const allowed: ExpectedResponse = { status: rule.status ?? 200 };
  if (rule.always) return rule.always;
  if (rule.needs === 'nothing') return place === 'missing' ? NOT_FOUND : allowed;
  const refusal = judgeKey(key) ?? (app === 'active' ? undefined : refused(403, 'app_suspended'));
  if (refusal) return refusal;
  // The scope is checked before the requested object.
  if (rule.needs !== 'a key' && key === 'without scope') return refused(403, 'missing_scope');
  if (place !== undefined && place !== 'own') return NOT_FOUND;
  if (!(rule.isOnServer || rule.isOnAccount) || !grants) return allowed;
  const judged = [...scopesOf(rule), ...(rule.resource === undefined ? [] : [rule.resource])];
  return judged.map((scope) => judgeGrants(grants, scope)).find((one) => one !== undefined) ?? allowed;
}

/** A problem of the key comes before one of its app, and only for a caller with the right secret. */
function judgeKey(key: SweepKey): ExpectedResponse | undefined {
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

/** The installation is judged before the scope. */
function judgeGrants({ installation, scopes }: Grants, scope: string): ExpectedResponse | undefined {
  if (installation === 'absent') return NOT_FOUND;
  if (installation === 'revoked') return refused(403, 'installation_revoked');
  if (installation === 'paused') return refused(403, 'installation_paused');
  if (scopes[scope] === 'absent') return refused(403, 'scope_not_authorised');
  if (scopes[scope] === 'revoked') return refused(403, 'installation_revoked');
  return scopes[scope] === 'paused' ? refused(403, 'installation_paused') : undefined;
}

/** Returns true if a list over all servers shows objects that need these scopes on one of the servers. */
export function isListed(grants: Grants, scopes: readonly string[]): boolean {
  return grants.installation === 'authorised' && scopes.every((scope) => grants.scopes[scope] === 'authorised');
}

/**
 * Returns the result of a leak report. The holder of a key can end it in any state of the key and its app. Invalid keys
 * are indistinguishable.
 */
export function expectReport(key: SweepKey): ExpectedResponse {
  const refusal = judgeKey(key);
  return refusal?.code === 'expired_key' || refusal?.code === 'revoked_key' || !refusal ? { status: 200 } : refusal;
}
