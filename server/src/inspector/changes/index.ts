// What of an app is no longer as it was, for whoever shows it.
import type { Environment } from '../../access/authority/index.ts';
import { followChanges } from './follow-changes.ts';

/** Of the Console, for each environment. */
export const changeOperations = (environment: Environment) => [followChanges(environment)];
