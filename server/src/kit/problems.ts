// The one table of problems (RFC 9457): what code throws, what the contract lists and what /problems/<slug> explains.

export interface ProblemKind {
  status: number;
  title: string;
  /** What it means, in a sentence. */
  meaning: string;
  /** What the caller can do about it. */
  mend: string;
}

function kind(status: number, title: string, meaning: string, mend: string): ProblemKind {
  return { status, title, meaning, mend };
}

export const PROBLEMS = {
  invalid_request: kind(
    400,
    'Invalid request',
    'The request does not fit the operation: a field is missing, unknown or of the wrong form.',
    'Read `errors`: each entry points at the place (JSON Pointer) and says what is expected there.',
  ),
  missing_key: kind(
    401,
    'Missing key',
    'The request carries no key.',
    'Send the header `Authorization: Bearer <API_KEY>`.',
  ),
  invalid_key: kind(
    401,
    'Invalid key',
    'The key is malformed, unknown or wrong; which of these is never said.',
    'Check that the whole key was copied. A key is shown once: if it is lost, generate another in the Console.',
  ),
  expired_key: kind(
    401,
    'Expired key',
    'The key has passed its expiry, which was fixed when it was made.',
    'Generate a new key in the Console.',
  ),
  revoked_key: kind(
    401,
    'Revoked key',
    'The key was revoked. Revocation is final and takes effect at once.',
    'Generate a new key in the Console.',
  ),
  wrong_environment: kind(
    401,
    'Wrong environment',
    'The key belongs to the other environment: `slw_test_` keys open the sandbox, `slw_live_` keys production.',
    'Use a key of this environment, or call the address of the environment that the key belongs to.',
  ),
  sign_in_required: kind(401, 'Sign-in required', 'There is no valid session.', 'Sign in to the Console.'),
  sign_in_failed: kind(
    401,
    'Sign-in failed',
    'The e-mail address and password do not match, or the sign-in link was used or has expired.',
    'Try again. A fresh sign-in link is printed when Slipway starts and nobody has signed in yet.',
  ),
  missing_scope: kind(
    403,
    'Missing scope',
    'The key lacks the scope that this operation needs. The scope is named in the WWW-Authenticate header.',
    'Generate a key that has the scope. Give a key only the scopes it needs.',
  ),
  scope_not_authorised: kind(
    403,
    'Scope not authorised',
    'The server has not authorised this scope for the app.',
    "Ask the server's owner to authorise the scope; in the sandbox you do this in the Console.",
  ),
  installation_paused: kind(
    403,
    'Installation paused',
    'The installation on this server, or this scope of it, is paused.',
    'Resume it in the Console.',
  ),
  installation_revoked: kind(
    403,
    'Installation revoked',
    'The installation on this server, or this scope of it, was revoked.',
    'A revocation is final; authorise the server or the scope anew in the Console.',
  ),
  app_suspended: kind(403, 'App suspended', 'The app is suspended.', 'An owner or admin can resume it in the Console.'),
  browser_use: kind(
    403,
    'Browser use',
    'A browser page made this request with a key. A key must never be placed in browser code.',
    'Call the API from your server. If the key was published in a page, revoke it.',
  ),
  role_not_allowed: kind(
    403,
    'Role not allowed',
    'Your role in the organisation does not allow this.',
    'Ask an owner or admin of the organisation.',
  ),
  cross_site_request: kind(
    403,
    'Cross-site request',
    'The Console answers only to its own pages: the Origin or the anti-forgery header is missing or foreign.',
    'Use the Console at its own address; SLIPWAY_CONSOLE_URL must be the address that people type.',
  ),
  not_found: kind(
    404,
    'Not found',
    'There is nothing here, or nothing that this app was ever allowed to see.',
    'Check the path and the identifier, and that the server was authorised for the app.',
  ),
  method_not_allowed: kind(
    405,
    'Method not allowed',
    'The path exists, but not with this method.',
    'Use one of the methods in the Allow header.',
  ),
  not_acceptable: kind(
    406,
    'Not acceptable',
    'The Accept header rules out JSON.',
    'Send `Accept: application/json` or leave the header out.',
  ),
  request_timeout: kind(408, 'Request timeout', 'The request did not arrive in time.', 'Send it again, faster.'),
  conflict: kind(409, 'Conflict', 'The change does not fit the present state.', 'Read the state again, then decide.'),
  quota_exceeded: kind(
    409,
    'Quota exceeded',
    'There are as many of these already as there may be.',
    'Remove one that is no longer used.',
  ),
  idempotency_in_progress: kind(
    409,
    'Idempotency key in progress',
    'A request with this Idempotency-Key is still running.',
    'Wait for its answer, then repeat the request.',
  ),
  gone: kind(
    410,
    'Gone',
    'What the request uses was deprecated, and its announced end has passed.',
    'Follow the link `deprecation` of this answer: its page says what to use instead.',
  ),
  body_too_large: kind(413, 'Body too large', 'The body is larger than 256 KiB.', 'Send less.'),
  uri_too_long: kind(414, 'URI too long', 'The address is longer than 8,000 characters.', 'Shorten the query.'),
  unsupported_media_type: kind(
    415,
    'Unsupported media type',
    'The body is not declared as JSON.',
    'Send `Content-Type: application/json`.',
  ),
  workflow_input_invalid: kind(
    422,
    'Workflow input invalid',
    'The input does not fit the schema of the workflow.',
    'Read `errors`, and `inputSchema` of the workflow, which says what its runs take.',
  ),
  idempotency_key_reused: kind(
    422,
    'Idempotency key reused',
    'This Idempotency-Key was used with a different request within the last 24 hours.',
    'Use a new Idempotency-Key for a new request.',
  ),
  rate_limited: kind(
    429,
    'Rate limited',
    'There were too many requests in too short a time.',
    'Wait as long as the Retry-After header says.',
  ),
  headers_too_large: kind(
    431,
    'Headers too large',
    'The headers are larger than 16 KiB.',
    'Send fewer or shorter ones.',
  ),
  internal_error: kind(
    500,
    'Internal error',
    'Something broke on our side. Nothing was half-written.',
    'Try again; if it stays, report the request id.',
  ),
  unavailable: kind(
    503,
    'Unavailable',
    'The service cannot confirm access or reach its database right now. When in doubt access is denied.',
    'Try again in a moment.',
  ),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]; // Object.keys forgets what it was given

export interface InvalidPart {
  /** JSON Pointer (RFC 6901) into the body, or /query/<name>, /path/<name>, /header/<name>. */
  pointer: string;
  detail: string;
}

export interface ProblemExtra {
  detail?: string;
  errors?: InvalidPart[];
  headers?: Record<string, string>;
}

/** The body of an error response: the specification's five fields, and for some codes a detail and the invalid parts. */
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

export function problemSlug(code: ProblemCode): string {
  return code.replaceAll('_', '-');
}

export function problemBody(
  code: ProblemCode,
  requestId: string,
  problemsUrl: string,
  extra: ProblemExtra,
): ProblemBody {
  const { status, title } = PROBLEMS[code];
  const body: ProblemBody = { type: `${problemsUrl}/${problemSlug(code)}`, title, status, code, requestId };
  if (extra.detail !== undefined) body.detail = extra.detail;
  if (extra.errors !== undefined) body.errors = extra.errors;
  return body;
}
