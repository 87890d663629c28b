// Parses the stored context of a request that ended in a problem. The contract leaves its shape open, so each part is
// validated.
import type { RequestDetail } from '../../kit/api.ts';
import type { AnsweredProblem } from '../../platform/reference/problem-note.tsx';

export interface SentRequestContext {
  problem: AnsweredProblem;
  /** Headers as pairs of name and value. */
  headers: [string, string][];
  /** Body as text; undefined if no readable body was sent. */
  body: string | undefined;
  /** True if the body was longer than the stored part. */
  isTruncated: boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textsOf = (value: unknown): [string, string][] =>
  isObject(value) ? Object.entries(value).flatMap(([name, one]) => (typeof one === 'string' ? [[name, one]] : [])) : [];

export function readContext({ code, errorContext }: RequestDetail): SentRequestContext | undefined {
  if (code === null) return undefined;
  const context: Record<string, unknown> = errorContext ?? {};
  const { problem, headers, body, isTruncated } = context;
  return {
    problem: toProblem(code, isObject(problem) ? problem : {}),
    headers: textsOf(headers),
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body, null, 2),
    isTruncated: isTruncated === true,
  };
}

function toProblem(code: string, { title, detail, errors }: Record<string, unknown>): AnsweredProblem {
  const parts = (Array.isArray(errors) ? errors : []).map((one: unknown) => Object.fromEntries(textsOf(one)));
  return {
    code,
    title: typeof title === 'string' ? title : code,
    ...(typeof detail === 'string' && { detail }),
    errors: parts.map((one) => ({ pointer: one.pointer ?? '', detail: one.detail ?? '' })),
  };
}
