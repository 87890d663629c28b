// Forecasts: what a change of access would break, by the rules of access and the stored records of at most 30 days.
import type { OperationRequirements } from '../../access/authority/index.ts';
import { forecastAccess } from './forecast-access.ts';

/** Creates the operations. `operations` are the operations of /v1 that require a key. */
export const forecastOperations = (operations: readonly OperationRequirements[]) => [forecastAccess(operations)];
