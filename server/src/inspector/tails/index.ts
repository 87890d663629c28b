// Live tails: an app's requests as they are answered, for whoever looks on.
import type { Environment } from '../../access/authority/index.ts';
import { readTail } from './read-tail.ts';
import { tailRequests } from './tail-requests.ts';

/** Of the Console, for each environment. */
export const tailOperations = (environment: Environment) => [tailRequests(environment)];
/** Of a plane, for the Console's server alone. */
export const consoleTailOperations = [readTail];
