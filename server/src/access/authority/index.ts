// Authorisation: verification of keys, grants, roles, and transactions that open only after these allow the caller.

export { lockApp, tryLockActiveApp } from './access-lock-store.ts';
export {
  enforceRules,
  evaluateRules,
  findUnmetRule,
  GRANT_RULES,
  KEY_RULES,
  listUnmetRules,
  RESOURCE_RULES,
  type ResourceGrant,
  type RuleName,
  type RuleResult,
  SCOPE_RULES,
} from './access-rules.ts';
export { addressRanges, validateAddressRanges } from './allowed-addresses.ts';
export type { ApiCall, ApiResponse, DelegatedKey } from './api-call.ts';
export { runInApp } from './app-work.ts';
export { type Actor, signAssertion, signConsoleAssertion } from './assertion.ts';
export {
  type ApiCaller,
  type Authority,
  createAuthority,
  type DelegatedKeyAuthenticator,
  type PresentedKey,
  type VerifierRenewal,
} from './authority.ts';
export { readBearerToken } from './bearer.ts';
export { type BrowserUse, MAX_PAGE_ORIGIN } from './browser.ts';
export {
  BODY_STATES,
  type BodyState,
  CAPTURE_GAPS,
  type CapturedMessage,
  type CaptureGap,
  type CapturePort,
  type CaptureStatus,
  missingCapture,
  type OpenedCapture,
} from './capture-port.ts';
export { allowConsoleForOrganisation, consoleActor } from './console-organisation-access.ts';
export { allowConsoleProcess } from './console-process-access.ts';
export {
  currentGrant,
  currentInstallation,
  currentScopes,
  INSTALLED_SERVERS,
  joinCurrentGrant,
  SERVER_NAME,
  storedTitle,
} from './current-grants-store.ts';
export {
  findGrant,
  findGrants,
  findKeyState,
  type GrantRow,
  grantedCondition,
  listGrants,
  type ServerGrantRow,
  selectGrant,
} from './grant-store.ts';
export {
  claimIdempotencyKey,
  decodeStoredBody,
  type IdempotencyClaim,
  readIdempotencyKey,
  replayStoredReply,
  type SerialisedReply,
  storeFirstReply,
} from './idempotency.ts';
export { insertReplies, type NewReplyRow } from './idempotency-store.ts';
export {
  allowAnyKey,
  allowKeyRead,
  allowKeyWriteOnServer,
  enforceGrantRules,
  lockAllowedAccess,
  type ReadContext,
  requireGrant,
  type WriteContext,
} from './key-access.ts';
export { computeVerifier, type Environment, newKeyToken, type Peppers, parseKeyToken } from './key-token.ts';
export { listPage, nextLink } from './list-page.ts';
export {
  allowAppManagement,
  allowOrganisationManagement,
  type ManagedAppContext,
} from './management-access.ts';
export { createMutations } from './mutations.ts';
export type { OperationRequirements } from './operation-requirements.ts';
export {
  findQuotas,
  isStricter,
  lockOrganisation,
  type OrganisationStatus,
  type PlaneOrganisationRow,
  type Quotas,
  quotasOf,
} from './organisation-store.ts';
export { type BoundedRows, createListContext, type ListContext } from './paged.ts';
export { AppId, appParams, KeyId, OrganisationId, organisationParams, ReceiptId } from './paths.ts';
export type {
  AccessCancellation,
  DeliveryEnqueuer,
  EventPort,
  LostAccess,
  NewEventContent,
  Plane,
  PlaneSecrets,
  ReadDatabase,
  ReceiptIssuer,
  RevokedGrant,
  RevokedKey,
  UnsignedReceipt,
  WorkerConfirmation,
  WorkPort,
} from './plane.ts';
export { allowAnyone, allowAnyoneRateLimited, type UnauthenticatedContext } from './public-access.ts';
export { requireQuota, requireSuccessorQuota } from './quota.ts';
export { DEFAULT_RATE } from './rate-limit.ts';
export type { RatePolicy } from './rate-store.ts';
export { isRefusal, refusal } from './refusals.ts';
export { requireOpenGate, unavailableWhileClosed } from './restore-gate.ts';
export {
  ACTIONS,
  type Action,
  actionIn,
  coversRole,
  isActionAllowed,
  needsSecondFactor,
  ROLES,
  type Role,
  RoleSchema,
  requireAction,
} from './roles.ts';
export { EXAMPLE_SCOPES, SCOPES, type Scope, ScopeSchema } from './scopes.ts';
export {
  type AppStatus,
  type ClosureReason,
  type Collection,
  findLeaseAge,
  findPlaneGate,
  type GrantState,
  IS_NOT_ERASED,
  isPlaneClosed,
  KEY_SCOPES,
  KEY_STATE,
  KEY_STATE_COLUMNS,
  type KeyState,
  keyStateAt,
  type MutationWriter,
  readRevised,
  strictest,
  type Tenant,
  type TenantReader,
  type TenantTransaction,
  type TenantWriter,
} from './store.ts';
export {
  createTenantReader,
  openTenant,
  organisationSetting,
  runAsTenant,
  setChangeAuthor,
  setOrganisation,
  tenantSetting,
} from './tenant-store.ts';
export {
  type Audit,
  asManager,
  type PlaneWork,
  planeWork,
  requestScopeOf,
  type TenantWork,
  type UnitOfWork,
  unitOfWork,
  type WorkScope,
  withTenant,
} from './unit-of-work.ts';
