// Live tails: requests of an app, shown as they are answered.
import type { Environment } from '../../access/authority/index.ts';
import { readTail } from './read-tail.ts';
import { tailRequests } from './tail-requests.ts';

/** Operations of the Console for one environment. */
export const tailOperations = (environment: Environment) => [tailRequests(environment)];
/** Operations of a plane, for the Console's server alone. */
export const consoleTailOperations = [readTail];
