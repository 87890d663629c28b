// Refused access: each 401 and 403 of /v1 names the required credentials in WWW-Authenticate (RFC 6750, section 3). All
// 401 and 403 are made here, so that a simulated refusal equals a real one. A closed plane answers 503 (restore-gate.ts).
import { type ProblemCode, type ProblemError, problem } from '../../kit/openapi/problems.ts';

/** The error of RFC 6750, section 3.1, for each code; undefined if another key would not help. */
const ERRORS = {
  missing_key: undefined,
  invalid_key: 'invalid_token',
  expired_key: 'invalid_token',
  revoked_key: 'invalid_token',
  wrong_environment: 'invalid_token',
  missing_scope: 'insufficient_scope',
  scope_not_authorised: 'insufficient_scope',
  installation_paused: undefined,
  installation_revoked: undefined,
  app_suspended: undefined,
  address_not_allowed: undefined,
  browser_use: undefined,
} as const satisfies Partial<Record<ProblemCode, string | undefined>>;

export type RefusalCode = keyof typeof ERRORS;

export function isRefusal(code: ProblemCode): code is RefusalCode {
  return Object.hasOwn(ERRORS, code);
}

/**
 * Returns a refusal. `scope` is the scope that the operation requires; the header names it only if the scope was
 * missing. `detail` replaces the fix of the problem's page.
 */
export function refusal(code: RefusalCode, scope?: string, detail?: string): ProblemError {
  const error = ERRORS[code];
  const parameters = Object.entries({
    realm: 'slipway',
    error,
    scope: error === 'insufficient_scope' ? scope : undefined,
  });
  const given = parameters.flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`]));
  const headers = { 'www-authenticate': `Bearer ${given.join(', ')}` };
  return problem(code, { headers, ...(detail !== undefined && { detail }) });
}
