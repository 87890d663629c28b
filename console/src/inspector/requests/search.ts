// Search parameters of the Request Inspector, and its search box.
import type { ProblemCode, RequestRecord } from '../../kit/api.ts';
import { momentOf, oneOf, textOf, wholeOf } from '../../kit/search.ts';

export const STATUS_CLASSES = [2, 3, 4, 5] as const;
/** The API's methods first, then all registered HTTP methods. The address can contain any other. */
export const METHODS = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'ACL', 'BIND', 'CHECKOUT', 'COPY'],
  ...['LINK', 'LOCK', 'M-SEARCH', 'MERGE', 'MKACTIVITY', 'MKCALENDAR', 'MKCOL', 'MOVE', 'NOTIFY', 'PROPFIND'],
  ...['PROPPATCH', 'PURGE', 'REBIND', 'REPORT', 'SEARCH', 'SOURCE', 'SUBSCRIBE', 'UNBIND', 'UNLINK', 'UNLOCK'],
  'UNSUBSCRIBE',
];
/** Value of the operation filter for requests without an operation. */
export const NO_OPERATION = 'none';
export const SPANS = ['15m', '1h', '24h', '7d'] as const;
export const VIEWS = ['problems', 'deprecated'] as const;
export type Span = (typeof SPANS)[number];

/** Problems of /v1 for authenticated callers. Other problems are never in an app's records. */
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
  'quota_exceeded',
  'idempotency_in_progress',
  'gone',
  'body_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'idempotency_key_reused',
  'workflow_input_invalid',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
  'timeout',
] as const satisfies readonly ProblemCode[];

export interface RequestsSearch {
  /** One status, or a class (4 for every 4xx). */
  status?: number;
  code?: (typeof CODES)[number];
  operation?: string;
  method?: string;
  key?: string;
  server?: string;
  /** One request. */
  id?: RequestRecord['id'];
  trace?: string;
  /** Minimum duration in milliseconds. */
  above?: number;
  simulated?: boolean;
  /** Part of the path. */
  path?: string;
  /** Span that ends now. Otherwise the range has fixed ends. */
  last?: Span;
  since?: string;
  until?: string;
  /** Undefined: the request list. */
  view?: (typeof VIEWS)[number];
  /** Undefined: live. */
  live?: false;
  /** Request whose drawer is open. */
  request?: RequestRecord['id'];
  /** Event whose drawer is open: its cause and its effects. */
  event?: string;
}

/** All filters, in display order. */
export const FILTERS = [
  'path',
  'id',
  'trace',
  'status',
  'code',
  'operation',
  'method',
  'key',
  'server',
  'above',
  'simulated',
  'last',
  'since',
  'until',
] as const satisfies readonly (keyof RequestsSearch)[];
export type Filter = (typeof FILTERS)[number];

export type FilterSearch = Pick<RequestsSearch, Filter>;

/** Names of the API for the same filters, which the address accepts too. */
const API_NAMES = {
  requestId: 'id',
  traceId: 'trace',
  operationId: 'operation',
  keyId: 'key',
  serverId: 'server',
  minDurationMs: 'above',
  statusClass: 'status',
} as const satisfies Record<string, Filter>;

type Typed = Partial<Record<keyof RequestsSearch | keyof typeof API_NAMES, unknown>>;

export function toRequestsSearch(typed: Typed): RequestsSearch {
  const search = withOwnNames(typed);
  const last = oneOf('last', search.last, SPANS);
  return {
    ...wholeOf('status', search.status),
    ...oneOf('code', search.code, CODES),
    ...textOf('operation', search.operation),
    ...textOf('method', search.method),
    ...textOf('key', search.key),
    ...textOf('server', search.server),
    ...textOf('id', search.id),
    ...textOf('trace', search.trace),
    ...wholeOf('above', search.above),
    ...(typeof search.simulated === 'boolean' && { simulated: search.simulated }),
    ...textOf('path', search.path),
    ...(last.last === undefined && { ...momentOf('since', search.since), ...momentOf('until', search.until) }),
    ...last,
    ...oneOf('view', search.view, VIEWS),
    ...(search.live === false && { live: false as const }),
    ...textOf('request', search.request),
    ...(search.request === undefined && textOf('event', search.event)),
  };
}

function withOwnNames(typed: Typed): Typed {
  const own = Object.entries(API_NAMES).flatMap(([name, filter]) => {
    const value = typed[name as keyof typeof API_NAMES]; // one of its own entries
    return value === undefined ? [] : [[filter, value] as const];
  });
  return { ...Object.fromEntries(own), ...typed };
}

export function hasFilters(search: RequestsSearch): boolean {
  return FILTERS.some((name) => search[name] !== undefined);
}

export function withoutFilters(search: RequestsSearch): RequestsSearch {
  return toRequestsSearch(without(search, FILTERS));
}

export function without(search: RequestsSearch, names: readonly Filter[]): RequestsSearch {
  return toRequestsSearch({ ...search, ...Object.fromEntries(names.map((name) => [name, undefined])) });
}

/** Returns whether the list can be live: not for a single request or for a range in the past. */
export const mayBeLive = ({ id, until }: RequestsSearch): boolean => id === undefined && until === undefined;

/** Limit of the API. */
const MOST_OF_PATH = 200;

export type Opened = 'request' | 'event' | 'delivery' | 'endpoint';
/** Result of a text in the search box: one object that is opened, or a filter. */
export type Found =
  | { opens: Opened; id: string }
  | { filter: Pick<RequestsSearch, 'server' | 'key' | 'trace' | 'path'> }
  | undefined;

const OPENED = { req: 'request', evt: 'event', dlv: 'delivery', whe: 'endpoint' } as const;

export function lookedFor(text: string): Found {
  const value = text.trim();
  // The text can be a whole response or log line: no path of the API contains such an identifier.
  const [request] = /\breq_[0-9a-z]{26}\b/.exec(value) ?? [];
  if (request !== undefined) return { opens: 'request', id: request };
  const [, kind] = /^(srv|key|evt|dlv|whe)_[0-9a-z]{26}$/.exec(value) ?? [];
  if (kind === 'srv') return { filter: { server: value } };
  if (kind === 'key') return { filter: { key: value } };
  if (kind !== undefined) return { opens: OPENED[kind as keyof typeof OPENED], id: value }; // the pattern permits no other prefix
  // A trace id, alone or in a traceparent header.
  const [, trace] = /^(?:[0-9a-f]{2}-)?([0-9a-f]{32})(?:-[0-9a-f]{16}-[0-9a-f]{2})?$/i.exec(value) ?? [];
  if (trace !== undefined) return { filter: { trace: trace.toLowerCase() } };
  // A path, as it appears in a log or in an address bar.
  const path = value.replace(/^[A-Z-]+ +(?=\S)/, '').replace(/^https?:\/\/[^/]+|[?#].*$/g, '');
  return path === '' ? undefined : { filter: { path: path.slice(0, MOST_OF_PATH) } };
}

const TIMES: readonly Filter[] = ['last', 'since', 'until'];

/**
 * Returns the search parameters after a search, which replaces the previous one. An identifier keeps only the time
 * range. Part of a path keeps the selected filters.
 */
export function searchedFor(search: RequestsSearch, filter: FilterSearch): RequestsSearch {
  const replaced: readonly Filter[] =
    filter.path === undefined ? FILTERS.filter((name) => !TIMES.includes(name)) : ['path', 'id', 'trace'];
  return toRequestsSearch({ ...without(search, replaced), ...filter });
}

/**
 * Returns true for a key, a signing secret or an access token. The search text would be in the address, where secrets
 * are not allowed.
 */
export function isSecret(text: string): boolean {
  return /(slw_(test|live)|whsec|slp)_\S{16,}/i.test(text);
}
