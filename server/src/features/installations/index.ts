// Installations: what servers allow an app, each and every scope on its own.

import { changeInstallations } from './change-installations.ts';
import { listInstallationChanges } from './list-installation-changes.ts';
import { listInstallations } from './list-installations.ts';
import { setInstallation } from './set-installation.ts';
import { setInstallationScope } from './set-installation-scope.ts';

export const installationOperations = [
  listInstallations,
  setInstallation,
  setInstallationScope,
  listInstallationChanges,
  changeInstallations,
];
export { changeInstallation } from './change-installation.ts';
export { setAutomatic } from './change-store.ts';
export { authoriseServers, findServerInState, lockInstallationRow } from './store.ts';
