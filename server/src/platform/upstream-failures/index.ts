// Failures of the upstream API, for operators.
import { pullUpstreamFailures } from './pull-upstream-failures.ts';

/** Operations of production, for the Console's server alone. */
export const consoleFailureOperations = [pullUpstreamFailures];
export { createFailureCounter, type Failure, type FailureCounter } from './counter.ts';
export { exampleFailures, type FailureKind, UpstreamFailureList } from './upstream-failure.ts';
