// Evidence of how an app behaves in the sandbox, for the reviewers of its live access.

import type { Plane } from '../../access/authority/index.ts';
import type { AnyOperation } from '../../kit/http/operation.ts';
import { toEvidenceOperations } from './gather-evidence.ts';
import { getEvidence } from './get-evidence.ts';

export const evidenceOperations = (operations: readonly AnyOperation<Plane>[]) => [
  getEvidence(toEvidenceOperations(operations)),
];
export { Evidence, exampleEvidence, readStoredEvidence } from './evidence.ts';
