// Environments in the Console: their addresses, and the links to their management operations.
import { listEnvironments } from './list-environments.ts';

export const environmentOperations = [listEnvironments];
export { askPlanes } from './ask-planes.ts';
export { forwardToPlane, type PlaneConnection } from './forward.ts';
export { localLink, type PlaneLink, remoteLink } from './link.ts';
