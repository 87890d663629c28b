// The problems of access to /v1 (401 and 403).
import type { TableProblem } from './product-problem.ts';

export const ACCESS_PROBLEMS = {
  missing_key: {
    status: 401,
    title: 'Missing key',
    meaning: 'The request has no key.',
    cause: 'The header `Authorization` is missing: the client did not send it, or a proxy removed it.',
    fix: 'Send the header `Authorization: Bearer <API_KEY>`.',
  },
  invalid_key: {
    status: 401,
    title: 'Invalid key',
    meaning: 'The key is malformed, unknown or wrong. The response does not reveal which of these applies.',
    cause: 'A part of the key was lost when it was copied, or the header does not have the form `Bearer <API_KEY>`.',
    fix: 'Check that the whole key was copied. A key is shown only once: if it is lost, generate another key in the Console.',
  },
  expired_key: {
    status: 401,
    title: 'Expired key',
    meaning: 'The key has expired. Its expiry was fixed when the key was created.',
    cause: 'A key is valid for at most 30 days, and its expiry cannot be changed.',
    fix: 'Generate a new key in the Console.',
  },
  revoked_key: {
    status: 401,
    title: 'Revoked key',
    meaning: 'The key was revoked. Revocation is final and takes effect immediately.',
    cause: 'A member of the organisation revoked the key in the Console. The audit log names the member and the time.',
    fix: 'Generate a new key in the Console.',
  },
  wrong_environment: {
    status: 401,
    title: 'Wrong environment',
    meaning:
      'The key belongs to the other environment: `slw_test_` keys are valid in the sandbox, `slw_live_` keys in production.',
    cause: 'The address and the key are separate settings, and only one of them was changed.',
    fix: 'Use a key of this environment, or call the address of the environment that the key belongs to.',
  },
  missing_scope: {
    status: 403,
    title: 'Missing scope',
    meaning:
      'The key does not have the scope that this operation requires. The WWW-Authenticate header names the scope.',
    cause: 'The scopes of a key are chosen when the key is created, and never change.',
    fix: 'Generate a key that has the scope. Give a key only the scopes that it needs.',
    isFixed: true,
  },
  scope_not_authorised: {
    status: 403,
    title: 'Scope not authorised',
    meaning: 'The server has not authorised this scope for the app.',
    cause: 'The app is installed on the server, but its installation does not include the scope.',
    fix: "Ask the server's owner to authorise the scope. In the sandbox, authorise it in the Console.",
  },
  installation_paused: {
    status: 403,
    title: 'Installation paused',
    meaning: 'The installation on this server, or this scope of it, is paused.',
    cause:
      "The server's owner paused it; in the sandbox, a member paused it in the Console. In production it is also paused if the app has reached its approved number of servers.",
    fix: "Resume it in the Console. In production, the server's owner resumes it, or you request more servers under Live access.",
  },
  installation_revoked: {
    status: 403,
    title: 'Installation revoked',
    meaning: 'The installation on this server, or this scope of it, was revoked.',
    cause: "The server's owner revoked the app's access. The revocation takes effect immediately.",
    fix: 'Authorise the server or the scope in the Console. This creates a new grant; the revoked grant stays revoked.',
  },
  app_suspended: {
    status: 403,
    title: 'App suspended',
    meaning: 'The app is suspended or being deleted.',
    cause:
      'A member suspended or deleted the app, or its organisation was suspended or deleted. All keys of the app are refused, but they are not revoked.',
    fix: 'A member can resume the app in the Console, or must restore a deleted app first. If its organisation is suspended, only the operator can resume it.',
  },
  address_not_allowed: {
    status: 403,
    title: 'Address not allowed',
    meaning: 'The key may not be used from this address.',
    cause: 'The key was created with a list of address ranges, and none of them contains the address of the request.',
    fix: 'Call from a server in the address ranges of the key, or generate a key with the ranges that you call from.',
  },
  browser_use: {
    status: 403,
    title: 'Browser use',
    meaning: 'A browser page made this request with a key. A key must never be placed in browser code.',
    cause:
      'The request carries `Origin` or `Sec-Fetch-Site`, which browsers send and servers do not. The organisation of a valid key gets a notice and a mail that name the key and the origin of the page.',
    fix: 'Call the API from your server. If the key was published in a page, revoke it.',
  },
} satisfies Record<string, TableProblem>;
