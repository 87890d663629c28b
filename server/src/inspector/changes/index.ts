// Reports which reads of an app have changed, for pages that show them.
import type { Environment } from '../../access/authority/index.ts';
import { followChanges } from './follow-changes.ts';

/** Operations of the Console for one environment. */
export const changeOperations = (environment: Environment) => [followChanges(environment)];
