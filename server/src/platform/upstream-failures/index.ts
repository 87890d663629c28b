// Failures of the upstream API, for operators.
import { pullUpstreamFailures } from './pull-upstream-failures.ts';

/** Operations of production, for the Console's server alone. */
export const consoleFailureOperations = [pullUpstreamFailures];
export { exampleFailures, type UpstreamFailureKind, UpstreamFailureList } from './upstream-failure.ts';
export {
  createUpstreamFailureCounter,
  type ReportedUpstreamFailure,
} from './upstream-failure-counter.ts';
