// Evidence: what an app has shown in the sandbox, for whoever decides about its live access.

import type { Plane } from '../../access/authority/index.ts';
import type { AnyOperation } from '../../kit/http/operation.ts';
import { exercisedOf } from './gather.ts';
import { getEvidence } from './get-evidence.ts';

export const evidenceOperations = (operations: readonly AnyOperation<Plane>[]) => [
  getEvidence(exercisedOf(operations)),
];
export { Evidence, exampleEvidence } from './evidence.ts';
