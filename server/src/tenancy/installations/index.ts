// Installations: the grants of servers to an app, with an independent state for each scope.

import type { OperationRequirements } from '../../access/authority/index.ts';
import { changeInstallations } from './change-installations.ts';
import { explainAccess } from './explain-access.ts';
import { listInstallationChanges } from './list-installation-changes.ts';
import { listInstallations } from './list-installations.ts';
import { setInstallation } from './set-installation.ts';
import { setInstallationScope } from './set-installation-scope.ts';

/**
 * Creates the operations. `explained` are the operations of /v1 that require a key, `accountOf` returns the server of an
 * app's account.
 */
export const installationOperations = (
  explained: readonly OperationRequirements[],
  accountOf: (appId: string) => string,
) => [
  listInstallations,
  listInstallationChanges,
  explainAccess(explained, accountOf),
  // In the sandbox, a member acts as the owner of a server. In production, a member changes the organisation's
  // restrictions.
  setInstallation,
  setInstallationScope,
  changeInstallations,
];
export { admitWaitingServers, lockWaitingServers } from './admit-waiting-servers.ts';
export { cancelInFlightOnServers } from './apply-grant-changes.ts';
export { changeGrant } from './change-grants.ts';
export { listEventSequences, markChangesAutomatic } from './change-store.ts';
export { emitGrantEvents } from './grant-events.ts';
export { exampleInstallation, type InstallationRow, toInstallation } from './installation.ts';
export { applyRestrictions, statementOf } from './restriction.ts';
export { exampleScopeChange, ScopeChange, ScopeChangeContent } from './scope-change.ts';
export { setServer } from './set-server.ts';
export { authoriseServers, findInstallationRow, findServerInState, lockInstallationRow } from './store.ts';
