// Refused access: each 401 and 403 of /v1 says in WWW-Authenticate what it wants (RFC 6750, section 3). They are made here,
// so that a simulated one is the real one.
import { type ProblemCode, type ProblemError, problem } from '../../kit/openapi/problems.ts';

/** Each with the error of RFC 6750, section 3.1, that it is; none where a better key would not help. */
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

/** `scope` is the one that the operation needs; it is named where it is what was missing. `detail` stands in place of the page's mend. */
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
