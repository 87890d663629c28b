import type { ProblemKind } from '../../kit/openapi/problem-kind.ts';

/**
 * The APIs that answer a problem: /v1 in both environments, /v1 in production only, or the Console and its management
 * API.
 */
export const SERVED_BY = {
  api: '',
  production: 'Production alone answers it: the sandbox never does.',
  console: 'The Console and its management API answer it; /v1 never does.',
} as const;

export interface OurProblem extends ProblemKind {
  servedBy: keyof typeof SERVED_BY;
}
