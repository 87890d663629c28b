import type { ProblemKind } from '../../kit/openapi/problem-kind.ts';

/**
 * The APIs that answer a problem: /v1 in both environments, /v1 in production only, or the Console and its management
 * API.
 */
export const SERVED_BY = {
  api: '',
  production: 'Only production returns this problem; the sandbox never does.',
  console: 'Only the Console and its management API return this problem; /v1 never does.',
} as const;

export interface ProductProblem extends ProblemKind {
  servedBy: keyof typeof SERVED_BY;
}

/** An entry of a table. It names its APIs only if they differ from those of the table. */
export type TableProblem = Omit<ProductProblem, 'servedBy'> & Partial<Pick<ProductProblem, 'servedBy'>>;
