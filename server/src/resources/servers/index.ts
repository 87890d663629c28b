// Servers: the communities on which an app is installed, and the synthetic servers of the sandbox.
import { getServer } from './get-server.ts';
import { listServers } from './list-servers.ts';

export const serverOperations = [listServers, getServer];
export { exampleServer, GrantStateSchema, ScopeGrant, Server, ServerId, toServer } from './server.ts';
export { countServerEvent, findServer, lockServerIds, pickServerId, removeServers } from './store.ts';
export { type SyntheticServer, syntheticServers } from './synthetic-servers.ts';
