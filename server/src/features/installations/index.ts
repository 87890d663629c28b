// Installations: what servers allow an app, each and every scope on its own.
import { listInstallations } from './list-installations.ts';
import { setInstallation } from './set-installation.ts';
import { setInstallationScope } from './set-installation-scope.ts';

export const installationOperations = [listInstallations, setInstallation, setInstallationScope];
export { changeInstallation } from './change-installation.ts';
export { authoriseServers, findServerInState, lockInstallationRow } from './store.ts';
