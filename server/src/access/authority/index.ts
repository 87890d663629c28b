// Authorisation: verification of keys, grants, roles, and transactions that open only after these allow the caller.

export { base64Of, redactKeys } from '../../kit/text/redact.ts';
export { type AppContext, managesApp, managesOrganisation, type OrganisationContext } from './actor.ts';
export type { ApiAnswer, ApiCall, KeyInUse } from './api-call.ts';
export { type Actor, signAssertion, signConsoleAssertion, verifyAssertion } from './assertion.ts';
export {
  type Authority,
  type Caller,
  createAuthority,
  type JudgeUse,
  type KnownKey,
  type Renewal,
} from './authority.ts';
export { bearerOf } from './bearer.ts';
export { type BrowserUse, MAX_PAGE_ORIGIN } from './browser.ts';
export {
  anyKey,
  holdAllowed,
  judgeGrant,
  type ReadContext,
  reads,
  requireGrant,
  type WriteContext,
  writesOnServer,
} from './caller.ts';
export { consoleActor, consoleItself } from './console-access.ts';
export { asConsole } from './console-link.ts';
export {
  currentGrant,
  currentScopes,
  INSTALLED_SERVERS,
  installationState,
  joinCurrentGrant,
} from './current-grants-store.ts';
export {
  askRules,
  brokenRules,
  type Finding,
  firstBroken,
  GRANT_RULES,
  KEY_RULES,
  RESOURCE_RULES,
  type ResourceGrant,
  type RuleName,
  refuseBroken,
  SCOPE_RULES,
} from './decision.ts';
export { refusalWhileClosed, requireOpen } from './gate.ts';
export {
  findGrant,
  findKeyStanding,
  type GrantRow,
  isGranted,
  listGrants,
  type ServerGrantRow,
} from './grant-store.ts';
export { holdActiveApp, holdApp } from './hold-store.ts';
export { type Claim, claim, type Keep, readKey, replayStored, storeAnswer } from './idempotency.ts';
export { insertReplies, type ReplyToStore } from './idempotency-store.ts';
export { type InAppContext, inApp } from './in-app.ts';
export { type Environment, newKeyToken, type Peppers, parseKeyToken, verifierOf } from './key-token.ts';
export { listPage, nextLink } from './list-page.ts';
export { createMutations } from './mutations.ts';
export { anyone, anyoneSparingly, type StrangerContext } from './open.ts';
export {
  findQuotas,
  holdOrganisation,
  isStricter,
  type OrganisationRow,
  type OrganisationStanding,
  type Quotas,
  quotasOf,
} from './organisation-store.ts';
export { type Lists, listsOf } from './paged.ts';
export { AppId, appParams, KeyId, OrganisationId, organisationParams } from './paths.ts';
export type { Denial, Enqueue, Plane, Reader } from './plane.ts';
export { requireRoom, requireRoomForSuccessor } from './quota.ts';
export { DEFAULT_RATE } from './rate-limit.ts';
export type { RatePolicy } from './rate-store.ts';
export { isRefusal, refusal } from './refusals.ts';
export {
  ACTIONS,
  type Action,
  actionIn,
  covers,
  mayDo,
  needsSecondFactor,
  ROLES,
  type Role,
  RoleSchema,
  requireAction,
} from './roles.ts';
export { SCOPE_MEANING, SCOPES, type Scope, ScopeSchema } from './scopes.ts';
export {
  type AppStanding,
  type ClosedBecause,
  COLLECTIONS,
  findLeaseAge,
  findPlaneGate,
  type GrantState,
  IS_KEPT,
  isPlaneClosed,
  KEY_STATE,
  type KeyState,
  type MutationRows,
  readRevised,
  type Tenant,
  type TenantRows,
  type TenantTransaction,
  type WritingRows,
} from './store.ts';
export { asTenant, readerOf } from './tenant.ts';
export { openTenant, setChanger, setOrganisation, tenantSetting } from './tenant-store.ts';
export {
  type Audit,
  asManager,
  inTenant,
  type PlaneWork,
  planeWork,
  requestOf,
  type TenantWork,
  type UnitOfWork,
  unitOfWork,
  type WorkScope,
} from './unit-of-work.ts';
