// The restore gate of the Console's database, and reopening after a restore. The gate of a plane is part of authority.
export { findConsoleGate } from './console-gate-store.ts';
export { readOwners, UnusableOwners, writeOwners } from './owners.ts';
export {
  type ConsoleAccess,
  countConsoleAccess,
  countPlaneAccess,
  countWithoutOwner,
  type Owner,
  openConsoleGate,
  openPlaneGate,
  type PlaneAccess,
  raiseEveryStatus,
} from './reopen-store.ts';
export { REOPENED_BY, takeConsoleAccess, takePlaneAccess } from './take-access.ts';
