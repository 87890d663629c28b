// The only table of Slipway's problems (RFC 9457): the contract lists it, and /problems/<slug> explains each entry.
import {
  type ProblemCode,
  type ProblemError,
  type ProblemKind,
  type Problems,
  problem,
} from '../../kit/openapi/problems.ts';
import { type OurProblem, SERVED_BY } from './our-problem.ts';
import { ACCESS_PROBLEMS } from './problems-of-access.ts';
import { PEOPLE_PROBLEMS } from './problems-of-people.ts';
import { REQUEST_PROBLEMS } from './problems-of-requests.ts';
import { CONSOLE_PROBLEMS, SERVICE_PROBLEMS } from './problems-of-service.ts';

export { SERVED_BY } from './our-problem.ts';

const table = { ...ACCESS_PROBLEMS, ...REQUEST_PROBLEMS, ...SERVICE_PROBLEMS, ...CONSOLE_PROBLEMS, ...PEOPLE_PROBLEMS };

type OurKinds = Record<keyof typeof table, ProblemKind>;
declare module '../../kit/openapi/problems.ts' {
  interface ProblemKinds extends OurKinds {}
}

export const PROBLEMS: Readonly<Record<ProblemCode, OurProblem>> = table;

export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]; // Object.keys returns strings

const codesOf = (...places: OurProblem['servedBy'][]): ProblemCode[] =>
  PROBLEM_CODES.filter((code) => places.includes(PROBLEMS[code].servedBy));

/** The problems that /v1 can answer in either environment. */
export const API_PROBLEM_CODES = codesOf('api', 'production');
/** The problems that /v1 of the sandbox can answer, all of which can be simulated there. */
export const SANDBOX_PROBLEM_CODES = codesOf('api');

/** Returns the problem as it appears in the example of its page and of the contract, and in a simulation. */
export function exampleProblem(code: ProblemCode, headers: Record<string, string> = {}): ProblemError {
  const { example } = PROBLEMS[code];
  return problem(code, { ...example, headers: { ...example?.headers, ...headers } });
}

const worded = ([code, kind]: [string, OurProblem]) => [code, { ...kind, servedBy: SERVED_BY[kind.servedBy] }] as const;
const kinds = Object.fromEntries(Object.entries(PROBLEMS).map(worded)) as Readonly<Problems['kinds']>; // the same codes

/** Returns the table for a server or a document whose pages of problems are at this address. */
export const problemsAt = (url: string): Problems => ({ url, kinds });
