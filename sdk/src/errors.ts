// Errors of a call. No error contains the key or the headers of a request.
import type { Problem as ManagementProblem } from './generated/console.ts';
import type { Problem as PublicProblem } from './generated/public.ts';

/** Codes of the contract. A newer API can return further codes: keep a `default` branch. */
export type ProblemCode = PublicProblem['code'] | ManagementProblem['code'];

/** Base class of all errors of a call: the API refused it, or no response was received. */
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

/**
 * A refusal of the API (RFC 9457). Distinguish refusals by `code`. The code of a response that does not come from
 * Slipway is `unknown`.
 */
export class SlipwayProblem extends SlipwayError {
  // `declare` emits no code: the constructor sets each field.
  /** Address of the page that explains the problem. */
  declare readonly type: string;
  declare readonly title: string;
  /** HTTP status. */
  declare readonly status: number;
  declare readonly code: ProblemCode | 'unknown';
  /** Id of the last attempt. Empty if the response had no id. */
  declare readonly requestId: string;
  declare readonly detail: string | undefined;
  /** The invalid parts of the request. */
  declare readonly errors: readonly { pointer: string; detail: string }[];
  /** Seconds that the API asks to wait before the next attempt. */
  declare readonly retryAfter: number | undefined;

  constructor(fields: ProblemFields) {
    const { title, code, requestId, detail } = fields;
    const text = invalidParts(fields) ?? detail;
    super(`${title} (${requestId ? `${code}, ${requestId}` : code})${text ? `: ${text}` : ''}`);
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

const MAX_LISTED_PARTS = 3;

// Often only the message of an error is printed, so it names the invalid parts. A value that is not a list comes from a
// proxy.
function invalidParts({ code, errors }: ProblemFields): string | undefined {
  if (code !== 'invalid_request' || !Array.isArray(errors) || errors.length === 0) return undefined;
  const parts = errors.slice(0, MAX_LISTED_PARTS).map((part) => Object(part));
  const sentences = parts.map(({ pointer, detail }) => `${pointer || '(body)'} ${detail}`);
  const more = errors.length - sentences.length;
  return `${sentences.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** No complete response was received; `cause` holds the reason. The API may have performed the operation. */
export class SlipwayConnectionError extends SlipwayError {}

/** An attempt took longer than `timeoutMs`. The API may have performed the operation. */
export class SlipwayTimeoutError extends SlipwayConnectionError {}
