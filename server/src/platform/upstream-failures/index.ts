// How the platform behind production fails, for whoever runs it.
import { pullUpstreamFailures } from './pull-upstream-failures.ts';

/** Of production, for the Console's server alone. */
export const consoleFailureOperations = [pullUpstreamFailures];
export { createFailureCounter, type Failure, type FailureCounter } from './counter.ts';
export { exampleFailures, type FailureKind, UpstreamFailureList } from './upstream-failure.ts';
