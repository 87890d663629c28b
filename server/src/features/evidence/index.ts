// Evidence: what an app has shown in the sandbox, for whoever decides about its live access.
import type { AnyOperation } from '../../kit/operation.ts';
import type { Plane } from '../authority/index.ts';
import { exercisedOf } from './gather.ts';
import { getEvidence } from './get-evidence.ts';

export const evidenceOperations = (operations: readonly AnyOperation<Plane>[]) => [
  getEvidence(exercisedOf(operations)),
];
export { Evidence, exampleEvidence } from './evidence.ts';
