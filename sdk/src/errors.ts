// What a call can fail with. None of these ever holds the key, nor a request's headers.
import type { Problem as ManagementProblem } from './generated/console.ts';
import type { Problem as PublicProblem } from './generated/public.ts';

/** The codes of the contract. An API newer than this package may answer others: keep a `default` branch. */
export type ProblemCode = PublicProblem['code'] | ManagementProblem['code'];

/** What every error of a call is: a problem, or that there was no answer. */
export class SlipwayError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

export interface ProblemFields {
  type: string;
  title: string;
  status: number;
  code: ProblemCode | 'unknown';
  requestId: string;
  detail?: string | undefined;
  errors?: readonly { pointer: string; detail: string }[] | undefined;
  retryAfter?: number | undefined;
}

/** The API's refusal (RFC 9457), told apart by `code`. An answer that is no problem of Slipway's, a proxy's, is `unknown`. */
export class SlipwayProblem extends SlipwayError {
  /** The address of the page that explains it. */
  readonly type: string;
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  readonly code: ProblemCode | 'unknown';
  /** Of the last attempt; empty when the answer carried none. */
  readonly requestId: string;
  readonly detail: string | undefined;
  /** Each invalid part of the request. */
  readonly errors: readonly { pointer: string; detail: string }[];
  /** How many seconds the API asks to wait before another attempt. */
  readonly retryAfter: number | undefined;

  constructor(fields: ProblemFields) {
    const { title, code, requestId, detail } = fields;
    const said = invalidParts(fields) ?? detail;
    super(`${title} (${requestId ? `${code}, ${requestId}` : code})${said ? `: ${said}` : ''}`);
    this.type = fields.type;
    this.title = title;
    this.status = fields.status;
    this.code = code;
    this.requestId = requestId;
    this.detail = detail;
    this.errors = fields.errors ?? [];
    this.retryAfter = fields.retryAfter;
  }
}

const MAX_PARTS_SAID = 3;

// Most see nothing of an error but its message: a detail that tells them to read `errors` would name nothing. What is no list is a
// proxy's, not the API's.
function invalidParts({ code, errors }: ProblemFields): string | undefined {
  if (code !== 'invalid_request' || !Array.isArray(errors) || errors.length === 0) return undefined;
  const parts = errors.slice(0, MAX_PARTS_SAID).map((part) => Object(part));
  const said = parts.map(({ pointer, detail }) => `${pointer || '(body)'} ${detail}`);
  const more = errors.length - said.length;
  return `${said.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** There was no whole answer; `cause` says why. What was asked for may have happened all the same. */
export class SlipwayConnectionError extends SlipwayError {}

/** An attempt took longer than `timeoutMs`. What was asked for may have happened all the same. */
export class SlipwayTimeoutError extends SlipwayConnectionError {}
