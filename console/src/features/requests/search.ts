// The filters of the Request Inspector, as they stand in the address.
import type { ProblemCode, RequestRecord } from '../../kit/api.ts';
import { oneOf, textOf } from '../../kit/search.ts';

export const STATUS_CLASSES = [2, 3, 4, 5] as const;
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The problems that the public API may answer with a proved key; others never reach an app's record. */
export const CODES = [
  'invalid_request',
  'expired_key',
  'revoked_key',
  'missing_scope',
  'scope_not_authorised',
  'installation_paused',
  'installation_revoked',
  'app_suspended',
  'browser_use',
  'not_found',
  'method_not_allowed',
  'not_acceptable',
  'request_timeout',
  'conflict',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'body_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const satisfies readonly ProblemCode[];

export interface RequestsSearch {
  status?: (typeof STATUS_CLASSES)[number];
  code?: (typeof CODES)[number];
  method?: (typeof METHODS)[number];
  key?: string;
  /** Absent: live. */
  live?: false;
  /** The request whose drawer is open. */
  request?: RequestRecord['id'];
}

export function toRequestsSearch(search: Partial<Record<keyof RequestsSearch, unknown>>): RequestsSearch {
  return {
    ...oneOf('status', search.status, STATUS_CLASSES),
    ...oneOf('code', search.code, CODES),
    ...oneOf('method', search.method, METHODS),
    ...textOf('key', search.key),
    ...(search.live === false && { live: false as const }),
    ...textOf('request', search.request),
  };
}

export function hasFilters({ status, code, method, key }: RequestsSearch): boolean {
  return [status, code, method, key].some((one) => one !== undefined);
}
