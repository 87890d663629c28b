// The only table of Slipway's problems (RFC 9457): the contract lists it, and /problems/<slug> explains each entry.
import {
  type ProblemCode,
  type ProblemError,
  type ProblemKind,
  type Problems,
  problem,
} from '../../kit/openapi/problems.ts';
import { ACCESS_PROBLEMS } from './access-problems.ts';
import { ACCOUNT_PROBLEMS } from './account-problems.ts';
import { type ProductProblem, SERVED_BY, type TableProblem } from './product-problem.ts';
import { REQUEST_PROBLEMS } from './request-problems.ts';
import { CONSOLE_PROBLEMS, SERVICE_PROBLEMS } from './service-problems.ts';

export { SERVED_BY } from './product-problem.ts';
export { readStoredFix } from './stored-fix.ts';

function servedBy<Code extends string>(place: ProductProblem['servedBy'], problems: Record<Code, TableProblem>) {
  const entries = Object.entries<TableProblem>(problems);
  const complete = entries.map(([code, kind]) => [code, { servedBy: place, ...kind }]);
  return Object.fromEntries(complete) as Record<Code, ProductProblem>; // Object.fromEntries loses the codes
}

const table = {
  ...servedBy('api', { ...ACCESS_PROBLEMS, ...REQUEST_PROBLEMS, ...SERVICE_PROBLEMS }),
  ...servedBy('console', { ...CONSOLE_PROBLEMS, ...ACCOUNT_PROBLEMS }),
};

type ProductProblemKinds = Record<keyof typeof table, ProblemKind>;
declare module '../../kit/openapi/problems.ts' {
  interface ProblemKinds extends ProductProblemKinds {}
}

export const PROBLEMS: Readonly<Record<ProblemCode, ProductProblem>> = table;

export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]; // Object.keys returns strings

const codesServedBy = (...places: ProductProblem['servedBy'][]): ProblemCode[] =>
  PROBLEM_CODES.filter((code) => places.includes(PROBLEMS[code].servedBy));

/** The problems that /v1 can answer in either environment. */
export const API_PROBLEM_CODES = codesServedBy('api', 'production');
/** The problems that /v1 of the sandbox can answer, all of which can be simulated there. */
export const SANDBOX_PROBLEM_CODES = codesServedBy('api');

/** Returns the problem as it appears in the example of its page and of the contract, and in a simulation. */
export function exampleProblem(code: ProblemCode, headers: Record<string, string> = {}): ProblemError {
  const { example } = PROBLEMS[code];
  return problem(code, { ...example, headers: { ...example?.headers, ...headers } });
}

const toProblemKind = ([code, kind]: [string, ProductProblem]) =>
  [code, { ...kind, servedBy: SERVED_BY[kind.servedBy] }] as const;
const kinds = Object.fromEntries(Object.entries(PROBLEMS).map(toProblemKind)) as Readonly<Problems['kinds']>; // the same codes

/** Returns the table for a server or a document whose pages of problems are at this address. */
export const problemsAt = (url: string): Problems => ({ url, kinds });
