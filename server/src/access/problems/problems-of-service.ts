// The problems of the service itself (5xx), and those of the Console and its management API only.
import type { OurProblem } from './our-problem.ts';

export const SERVICE_PROBLEMS = {
  internal_error: {
    status: 500,
    title: 'Internal error',
    servedBy: 'api',
    meaning: 'Something broke on our side. Nothing was half-written.',
    cause: 'A mistake in the service. What broke is in its log under the request id.',
    mend: 'Try again; if it stays, report the request id.',
  },
  upstream_invalid: {
    status: 502,
    title: 'Upstream invalid',
    servedBy: 'production',
    meaning: 'The chat platform behind the server gave an answer that cannot be used.',
    cause: 'The platform failed, or changed its answers. The sandbox has no platform behind it.',
    mend: 'Try again later; repeat a mutation with the same Idempotency-Key.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    servedBy: 'api',
    meaning: 'The service cannot confirm access or reach its database right now. When in doubt access is denied.',
    cause: 'The database is down, restarting or out of reach, or it did not confirm the key within a second.',
    mend: 'Try again in a moment.',
    example: { headers: { 'retry-after': '1' } },
  },
  timeout: {
    status: 504,
    title: 'Timeout',
    servedBy: 'api',
    meaning:
      'The service took too long over this and gave up. Nothing was half-written here; in production nobody knows yet what the platform behind the server did with a mutation.',
    cause:
      'What the operation waited for, such as a query of the database, passed its bound; in production the platform did not answer, or failed over a mutation.',
    mend: 'Try again in a moment; repeat a mutation with the same Idempotency-Key; where it takes none, look first whether it took place.',
    example: { headers: { 'retry-after': '1' } },
  },
} satisfies Record<string, OurProblem>;

export const CONSOLE_PROBLEMS = {
  sign_in_required: {
    status: 401,
    title: 'Sign-in required',
    servedBy: 'console',
    meaning: 'There is no valid session.',
    cause: 'Nobody has signed in with this browser, or the session has ended.',
    mend: 'Sign in to the Console.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Sign-in failed',
    servedBy: 'console',
    meaning: 'The e-mail address and password do not match, or the sign-in link was used or has expired.',
    cause: 'A link works once; a password may have been changed. Which of these it is, is never said.',
    mend: 'Try again. A fresh sign-in link is printed when Slipway starts and nobody has signed in yet.',
  },
  invalid_access_token: {
    status: 401,
    title: 'Invalid access token',
    servedBy: 'console',
    meaning:
      'The access token is malformed, unknown, wrong or revoked; which of these is never said. One that has expired is.',
    cause: 'A part of it was lost when it was copied, somebody revoked it, or its owner left the organisation.',
    mend: 'Create a new access token in the Console. A token is shown once.',
    example: { headers: { 'www-authenticate': 'Bearer realm="slipway", error="invalid_token"' } },
  },
  access_token_not_allowed: {
    status: 403,
    title: 'Access token not allowed',
    servedBy: 'console',
    meaning: 'This cannot be done with this access token; `detail` says whether with none at all.',
    cause:
      'The token may only read, or the operation is about people and accounts, which takes a person who is signed in.',
    mend: 'Use a token that may write, or do it in the Console.',
    example: { detail: 'This takes a person who is signed in: no access token can do it.' },
  },
  role_not_allowed: {
    status: 403,
    title: 'Role not allowed',
    servedBy: 'console',
    meaning: 'Your role in the organisation does not allow this.',
    cause: 'Each role may do certain things; `detail` names yours and those that may.',
    mend: 'Ask an owner or admin of the organisation.',
    example: { detail: 'Your role is viewer; this needs one of owner, admin, developer.' },
  },
  invitation_not_yours: {
    status: 403,
    title: 'Invitation not yours',
    servedBy: 'console',
    meaning: 'The invitation is bound to another e-mail address than the one that you are signed in with.',
    cause: 'You are signed in with another account, or its address is not verified yet.',
    mend: 'Sign in with the account that the invitation was sent to, or ask for one to this address.',
  },
  invitation_used: {
    status: 410,
    title: 'Invitation used',
    servedBy: 'console',
    meaning: 'The invitation was accepted before. It works once.',
    cause: 'The link was opened a second time.',
    mend: 'Open the organisation. If you were removed from it since, ask for a new invitation.',
  },
  invitation_expired: {
    status: 410,
    title: 'Invitation expired',
    servedBy: 'console',
    meaning: 'The invitation was not accepted within seven days.',
    cause: 'An invitation that lies about is a way in, so it has an end.',
    mend: 'Ask an owner or admin of the organisation for a new one.',
  },
  invitation_revoked: {
    status: 410,
    title: 'Invitation revoked',
    servedBy: 'console',
    meaning: 'The invitation was withdrawn.',
    cause:
      'A member revoked it, sent you a newer one, or the one who sent it may no longer invite anybody to this role.',
    mend: 'Use the newest invitation, or ask an owner or admin of the organisation for one.',
  },
  cross_site_request: {
    status: 403,
    title: 'Cross-site request',
    servedBy: 'console',
    meaning:
      'The Console answers only to its own pages and to programs that say so: the Origin is foreign, or a request that changes something came without the header Slipway-Console.',
    cause:
      'Another site made the request, the Console was opened at another address than its own, or a program left the header out.',
    mend: 'Use the Console at its own address (SLIPWAY_CONSOLE_URL must be the address that people type). A program of your own sends `Slipway-Console: 1`, as the SDK does.',
  },
} satisfies Record<string, OurProblem>;
