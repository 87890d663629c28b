// The problems of the service itself (5xx), and those of the Console and its management API only.
import type { TableProblem } from './product-problem.ts';

export const SERVICE_PROBLEMS = {
  internal_error: {
    status: 500,
    title: 'Internal error',
    meaning: 'The service failed. No change was partially written.',
    cause: 'The service has a fault. Its log has the details under the request id.',
    fix: 'Try again. If the problem continues, report the request id.',
  },
  upstream_invalid: {
    status: 502,
    title: 'Upstream invalid',
    servedBy: 'production',
    meaning: 'The upstream API of the server returned a response that cannot be used.',
    cause: 'The upstream API failed, or its responses changed. The sandbox has no upstream API.',
    fix: 'Try again later. Repeat a mutation with the same Idempotency-Key.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The service cannot confirm access or reach its database now. In doubt, access is denied (fail closed).',
    cause: 'The database is down, restarting or unreachable, or it did not confirm the key within one second.',
    fix: 'Try again in a few seconds.',
    example: { headers: { 'retry-after': '1' } },
  },
  timeout: {
    status: 504,
    title: 'Timeout',
    meaning:
      'The operation took too long and was aborted. Slipway wrote nothing partially. In production, it is unknown whether the upstream API executed a mutation.',
    cause:
      'A step of the operation, such as a database query, exceeded its time limit. In production, the upstream API did not respond, or it failed during a mutation.',
    fix: 'Try again in a few seconds. Repeat a mutation with the same Idempotency-Key. If the operation accepts none, first check whether the change took effect.',
    example: { headers: { 'retry-after': '1' } },
  },
} satisfies Record<string, TableProblem>;

export const CONSOLE_PROBLEMS = {
  sign_in_required: {
    status: 401,
    title: 'Sign-in required',
    meaning: 'There is no valid session.',
    cause: 'This browser has no session, or its session has ended.',
    fix: 'Sign in to the Console.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Sign-in failed',
    meaning: 'The e-mail address and password do not match, or the sign-in link was used or has expired.',
    cause:
      'A link works once, and a password may have been changed. The response does not reveal which of these applies.',
    fix: 'Try again. Until the first sign-in, Slipway prints a new sign-in link at each start.',
  },
  invalid_access_token: {
    status: 401,
    title: 'Invalid access token',
    meaning:
      'The access token is malformed, unknown, wrong or revoked. The response does not reveal which of these applies, but it reports an expired token.',
    cause:
      'A part of the token was lost when it was copied, the token was revoked, or its owner left the organisation.',
    fix: 'Create a new access token in the Console. A token is shown only once.',
    example: { headers: { 'www-authenticate': 'Bearer realm="slipway", error="invalid_token"' } },
  },
  access_token_not_allowed: {
    status: 403,
    title: 'Access token not allowed',
    meaning: 'This access token cannot be used for the operation. `detail` states whether any access token can.',
    cause: 'The token may only read, or the operation concerns people and accounts, which requires a signed-in person.',
    fix: 'Use a token with the scope `write`, or use the Console.',
    example: { detail: 'This requires a signed-in person. Access tokens are not accepted.' },
  },
  role_not_allowed: {
    status: 403,
    title: 'Role not allowed',
    meaning: 'Your role in the organisation does not allow this.',
    cause: 'Each role allows certain actions. `detail` names your role and the roles that are allowed.',
    fix: 'Ask an owner or admin of the organisation.',
    example: { detail: 'Your role is viewer. This requires one of the roles owner, admin, developer.' },
  },
  invitation_not_yours: {
    status: 403,
    title: 'Invitation not yours',
    meaning: 'The invitation is bound to another e-mail address than that of your account.',
    cause: 'You are signed in with another account, or your address is not verified yet.',
    fix: 'Sign in with the account of the invited address, or ask for an invitation to your address.',
  },
  invitation_used: {
    status: 410,
    title: 'Invitation used',
    meaning: 'The invitation was accepted before. An invitation works once.',
    cause: 'The link was opened a second time.',
    fix: 'Open the organisation. If you were removed from it since then, ask for a new invitation.',
  },
  invitation_expired: {
    status: 410,
    title: 'Invitation expired',
    meaning: 'The invitation was not accepted within seven days.',
    cause: 'An invitation expires, because anyone with an unused link could join the organisation.',
    fix: 'Ask an owner or admin of the organisation for a new invitation.',
  },
  invitation_revoked: {
    status: 410,
    title: 'Invitation revoked',
    meaning: 'The invitation was revoked.',
    cause:
      'A member revoked the invitation, a newer invitation replaced it, or its sender may no longer invite people to this role.',
    fix: 'Use the newest invitation, or ask an owner or admin of the organisation for one.',
  },
  cross_site_request: {
    status: 403,
    title: 'Cross-site request',
    meaning:
      'The Console accepts requests only from its own pages and from programs that identify themselves. The Origin names another site, or a request for a change has no Slipway-Console header.',
    cause:
      'Another site made the request, the Console was opened at an address other than its own, or a program omitted the header.',
    fix: 'Use the Console at its own address: SLIPWAY_CONSOLE_URL must be the address that people type. Your own programs must send `Slipway-Console: 1`, as the SDK does.',
  },
} satisfies Record<string, TableProblem>;
