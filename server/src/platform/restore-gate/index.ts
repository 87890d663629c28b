// The restore gate of the Console's database, and reopening after a restore. The gate of a plane is part of authority.
export { findConsoleGate } from './console-gate-store.ts';
export { OwnersFileError, readOwners, writeOwners } from './owners.ts';
export {
  countConsoleAccess,
  countPlaneAccess,
  countWithoutOwner,
  type OrganisationOwner,
  openConsoleGate,
  openPlaneGate,
  resendEveryStatus,
} from './reopen-store.ts';
export { REOPENED_BY, revokeConsoleAccess, revokePlaneAccess } from './revoke-access.ts';
