// The one table of problems (RFC 9457): what code throws, what the contract lists and what /problems/<slug> explains.
import type { InvalidPart, ProblemExtra, ProblemKind } from './problem-kind.ts';
import { ACCESS_PROBLEMS } from './problems-of-access.ts';
import { PEOPLE_PROBLEMS } from './problems-of-people.ts';
import { REQUEST_PROBLEMS } from './problems-of-requests.ts';
import { CONSOLE_PROBLEMS, SERVICE_PROBLEMS } from './problems-of-service.ts';

export { type InvalidPart, type ProblemExtra, SERVED_BY } from './problem-kind.ts';

const table = { ...ACCESS_PROBLEMS, ...REQUEST_PROBLEMS, ...SERVICE_PROBLEMS, ...CONSOLE_PROBLEMS, ...PEOPLE_PROBLEMS };

export type ProblemCode = keyof typeof table;

export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = table;

export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]; // Object.keys forgets what it was given

const codesOf = (...places: ProblemKind['servedBy'][]): ProblemCode[] =>
  PROBLEM_CODES.filter((code) => places.includes(PROBLEMS[code].servedBy));

/** What /v1 may answer, in either environment. */
export const API_PROBLEM_CODES = codesOf('api', 'production');
/** What the sandbox's /v1 may answer: all that can be simulated there. */
export const SANDBOX_PROBLEM_CODES = codesOf('api');

/** The body of an error response: the specification's five fields, what to do about it, and for some codes the invalid parts. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  requestId: string;
  detail?: string;
  errors?: InvalidPart[];
}

export class ProblemError extends Error {
  readonly code: ProblemCode;
  readonly extra: ProblemExtra;
  constructor(code: ProblemCode, extra: ProblemExtra = {}) {
    super(`${code}${extra.detail === undefined ? '' : `: ${extra.detail}`}`);
    this.name = 'ProblemError';
    this.code = code;
    this.extra = extra;
  }
}

/** `throw problem('missing_scope')`. */
export function problem(code: ProblemCode, extra?: ProblemExtra): ProblemError {
  return new ProblemError(code, extra);
}

/** As it is answered in the example of its page and of the contract, and when it is simulated. */
export function exampleProblem(code: ProblemCode, headers: Record<string, string> = {}): ProblemError {
  const { example } = PROBLEMS[code];
  return problem(code, { ...example, headers: { ...example?.headers, ...headers } });
}

export function problemSlug(code: ProblemCode): string {
  return code.replaceAll('_', '-');
}

export function problemBody(
  code: ProblemCode,
  requestId: string,
  problemsUrl: string,
  extra: ProblemExtra,
): ProblemBody {
  const { status, title, mend, isFixed } = PROBLEMS[code];
  const body: ProblemBody = { type: `${problemsUrl}/${problemSlug(code)}`, title, status, code, requestId };
  if (isFixed) return body;
  body.detail = extra.detail ?? mend;
  if (extra.errors !== undefined) body.errors = extra.errors;
  return body;
}
