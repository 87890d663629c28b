// Servers: the communities that an app is installed on, and the synthetic ones that the sandbox makes.
import { getServer } from './get-server.ts';
import { listServers } from './list-servers.ts';

export const serverOperations = [listServers, getServer];
export { GrantStateSchema, ScopeGrant, ServerId } from './server.ts';
export { insertServers } from './store.ts';
export { type SyntheticServer, syntheticServers } from './synthetic-servers.ts';
