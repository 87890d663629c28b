// Installations: what servers allow an app, each and every scope on its own.

import type { ExplainedOperation } from './access-explanation.ts';
import { changeInstallations } from './change-installations.ts';
import { explainAccess } from './explain-access.ts';
import { listInstallationChanges } from './list-installation-changes.ts';
import { listInstallations } from './list-installations.ts';
import { setInstallation } from './set-installation.ts';
import { setInstallationScope } from './set-installation-scope.ts';

/** `explained` are the operations of /v1 that a key calls. */
export const installationOperations = (explained: readonly ExplainedOperation[]) => [
  listInstallations,
  listInstallationChanges,
  explainAccess(explained),
  // In the sandbox they play the owners of servers; in production they change what the organisation withholds.
  setInstallation,
  setInstallationScope,
  changeInstallations,
];
export type { ExplainedOperation } from './access-explanation.ts';
export { admitWaiting, holdWaiting } from './admit-waiting.ts';
export { changeInstallation } from './change-installation.ts';
export { changeScope } from './change-scope.ts';
export { listEventSequences, setAutomatic } from './change-store.ts';
export { emitGrantEvents } from './grant-events.ts';
export { exampleInstallation, toInstallation } from './installation.ts';
export { restricted, statementOf } from './restriction.ts';
export { exampleScopeChange, ScopeChange, ScopeWords } from './scope-change.ts';
export { setServer } from './set-server.ts';
export { authoriseServers, findInstallationRow, findServerInState, lockInstallationRow } from './store.ts';
