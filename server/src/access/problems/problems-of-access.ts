// The problems of access to /v1 (401 and 403).
import type { OurProblem } from './our-problem.ts';

export const ACCESS_PROBLEMS = {
  missing_key: {
    status: 401,
    title: 'Missing key',
    servedBy: 'api',
    meaning: 'The request carries no key.',
    cause: 'The header `Authorization` is not there: it was never set, or something on the way took it off.',
    mend: 'Send the header `Authorization: Bearer <API_KEY>`.',
  },
  invalid_key: {
    status: 401,
    title: 'Invalid key',
    servedBy: 'api',
    meaning: 'The key is malformed, unknown or wrong; which of these is never said.',
    cause: 'A part of the key was lost when it was copied, or the header has another form than `Bearer <API_KEY>`.',
    mend: 'Check that the whole key was copied. A key is shown once: if it is lost, generate another in the Console.',
  },
  expired_key: {
    status: 401,
    title: 'Expired key',
    servedBy: 'api',
    meaning: 'The key has passed its expiry, which was fixed when it was made.',
    cause: 'A key lives at most 30 days, and its expiry cannot be moved.',
    mend: 'Generate a new key in the Console.',
  },
  revoked_key: {
    status: 401,
    title: 'Revoked key',
    servedBy: 'api',
    meaning: 'The key was revoked. Revocation is final and takes effect at once.',
    cause: 'A member of the organisation revoked it in the Console; the audit log says who and when.',
    mend: 'Generate a new key in the Console.',
  },
  wrong_environment: {
    status: 401,
    title: 'Wrong environment',
    servedBy: 'api',
    meaning:
      'The key belongs to the other environment: `slw_test_` keys open the sandbox, `slw_live_` keys production.',
    cause: 'Address and key come from different settings: one of them was changed alone.',
    mend: 'Use a key of this environment, or call the address of the environment that the key belongs to.',
  },
  missing_scope: {
    status: 403,
    title: 'Missing scope',
    servedBy: 'api',
    meaning: 'The key lacks the scope that this operation needs. The scope is named in the WWW-Authenticate header.',
    cause: 'A key has the scopes that were chosen when it was made; they never change.',
    mend: 'Generate a key that has the scope. Give a key only the scopes it needs.',
    isFixed: true,
  },
  scope_not_authorised: {
    status: 403,
    title: 'Scope not authorised',
    servedBy: 'api',
    meaning: 'The server has not authorised this scope for the app.',
    cause: 'The app is installed on the server, but its installation does not hold the scope.',
    mend: "Ask the server's owner to authorise the scope; in the sandbox you do this in the Console.",
  },
  installation_paused: {
    status: 403,
    title: 'Installation paused',
    servedBy: 'api',
    meaning: 'The installation on this server, or this scope of it, is paused.',
    cause:
      "The server's owner paused it; in the sandbox a member did so in the Console. In production the app may have as many servers as it is approved for.",
    mend: 'Resume it in the Console. In production its owner does, or more servers are asked for under Live access.',
  },
  installation_revoked: {
    status: 403,
    title: 'Installation revoked',
    servedBy: 'api',
    meaning: 'The installation on this server, or this scope of it, was revoked.',
    cause: "The server's owner withdrew what the app was allowed; it takes effect at once.",
    mend: 'A revocation is final; authorise the server or the scope anew in the Console.',
  },
  app_suspended: {
    status: 403,
    title: 'App suspended',
    servedBy: 'api',
    meaning: 'The app is suspended or being deleted.',
    cause:
      'A member suspended or deleted it, or its organisation was: that stops all of its keys without revoking them.',
    mend: 'A member can resume it in the Console, or restore it first; what was suspended with its organisation only the operator.',
  },
  address_not_allowed: {
    status: 403,
    title: 'Address not allowed',
    servedBy: 'api',
    meaning: 'The key may not be used from this address.',
    cause: 'The key was made with a list of ranges of addresses, and the request came from none of them.',
    mend: 'Call from one of your servers that the key was made for, or generate a key with the ranges that you call from.',
  },
  browser_use: {
    status: 403,
    title: 'Browser use',
    servedBy: 'api',
    meaning: 'A browser page made this request with a key. A key must never be placed in browser code.',
    cause:
      'The request carries `Origin` or `Sec-Fetch-Site`, which browsers send and servers do not. The organisation of a valid key gets a notice and a mail that name the key and the origin of the page.',
    mend: 'Call the API from your server. If the key was published in a page, revoke it.',
  },
} satisfies Record<string, OurProblem>;
