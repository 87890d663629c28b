// Texts for problems. By default the response's detail is shown, except where it addresses programmers.
import { SlipwayProblem } from '@slipway/sdk';
import { withoutCodeMarks } from './inline.tsx';

const DEFAULT_FIXES: Record<string, string> = {
  invalid_request: 'Some values are invalid. Read the message of each field.',
  not_found: 'It does not exist, or it belongs to an organisation that you are not a member of.',
  rate_limited: 'Too many attempts in a short time. Wait a minute, then try again.',
};

/** A problem that the browser found, without a response of the server. */
export class BrowserProblem extends Error {
  readonly fix: string;

  constructor(title: string, fix: string) {
    super(title);
    this.name = 'BrowserProblem';
    this.fix = fix;
  }
}

interface ProblemText {
  title: string;
  fix: string;
  code: string | undefined;
  requestId: string | undefined;
  page: string | undefined;
  errors: readonly { pointer: string; detail: string }[];
}

/**
 * Returns the texts for an error. Texts of the caller take precedence over the general ones, and these over the detail.
 */
export function describeProblem(error: Error, fixes: Record<string, string> = {}): ProblemText {
  const none = { code: undefined, requestId: undefined, page: undefined, errors: [] };
  if (error instanceof BrowserProblem) return { title: error.message, fix: error.fix, ...none };
  if (!(error instanceof SlipwayProblem)) {
    const fix = 'The Console’s server did not answer. Check that it runs and that you are connected, then try again.';
    return { title: 'No answer', fix, ...none };
  }
  return {
    title: error.title || `HTTP ${error.status}`,
    fix:
      fixes[error.code] ??
      DEFAULT_FIXES[error.code] ??
      error.detail ??
      'Try again. If the problem persists, report the request id to the operator.',
    code: error.code,
    requestId: error.requestId || undefined,
    page: /^https?:\/\//.test(error.type) ? error.type : undefined,
    errors: error.errors,
  };
}

type FieldErrors = ProblemText['errors'];

const errorOf = (errors: FieldErrors, pointer: string): FieldErrors[number] | undefined =>
  errors.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));

/** Returns the errors that no field shows. A field shows only its first error. */
export function errorsBeside(errors: FieldErrors, fields: readonly string[]): FieldErrors {
  const shown = fields.map((pointer) => errorOf(errors, pointer));
  return errors.filter((one) => !shown.includes(one));
}

/** Returns the error of one field, if the problem has one. */
export function fieldError(error: Error | null, pointer: string): string | undefined {
  if (!(error instanceof SlipwayProblem)) return undefined;
  const found = errorOf(error.errors, pointer);
  if (!found) return undefined;
  // A detail is a sentence, or a predicate such as "must not have fewer than 8 characters".
  const detail = withoutCodeMarks(found.detail);
  return /^[A-Z]/.test(detail) ? detail : `This field ${detail}.`;
}

export function isNotFound(error: Error | null): boolean {
  if (!(error instanceof SlipwayProblem)) return false;
  // A malformed identifier in the address is refused before the lookup.
  return error.status === 404 || (error.status === 400 && error.errors.some((one) => one.pointer.startsWith('/path')));
}
