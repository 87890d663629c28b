// Problems (RFC 9457): the error that code throws, and the body of the response. The product owns the table of
// problems, which each server and document receives as `Problems`.
import type { InvalidPart, ProblemExtra, ProblemKind } from './problem-kind.ts';

export type { InvalidPart, ProblemExtra, ProblemKind } from './problem-kind.ts';

/** The problems that this library throws. A product adds its own by declaration merging. */
export interface ProblemKinds {
  body_too_large: ProblemKind;
  gone: ProblemKind;
  headers_too_large: ProblemKind;
  internal_error: ProblemKind;
  invalid_request: ProblemKind;
  method_not_allowed: ProblemKind;
  not_acceptable: ProblemKind;
  not_found: ProblemKind;
  rate_limited: ProblemKind;
  request_timeout: ProblemKind;
  timeout: ProblemKind;
  unavailable: ProblemKind;
  unsupported_media_type: ProblemKind;
  uri_too_long: ProblemKind;
}

export type ProblemCode = keyof ProblemKinds;

/** The table of problems, and the base URL of their pages. */
export interface Problems {
  readonly url: string;
  readonly kinds: Readonly<ProblemKinds>;
}

/**
 * The body of an error response: the specification's five fields, what to do about it, and for some codes the invalid
 * parts.
 */
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

/** Creates the error. Usage: `throw problem('not_found')`. */
export function problem(code: ProblemCode, extra?: ProblemExtra): ProblemError {
  return new ProblemError(code, extra);
}

export function problemSlug(code: ProblemCode): string {
  return code.replaceAll('_', '-');
}

export function problemBody(
  code: ProblemCode,
  requestId: string,
  { url, kinds }: Problems,
  extra: ProblemExtra,
): ProblemBody {
  const { status, title, fix, isFixed } = kinds[code];
  const body: ProblemBody = { type: `${url}/${problemSlug(code)}`, title, status, code, requestId };
  if (isFixed) return body;
  body.detail = extra.detail ?? fix;
  if (extra.errors !== undefined) body.errors = extra.errors;
  return body;
}
