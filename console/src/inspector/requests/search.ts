// Search parameters of the Request Inspector, and its search box.
import type { ProblemCode, RequestRecord } from '../../kit/api.ts';
import { choiceParam, integerParam, textParam, timeParam } from '../../kit/search.ts';

/** Value of the operation filter for requests without an operation. */
export const NO_OPERATION = 'none';
export const SPANS = ['15m', '1h', '24h', '7d'] as const;
const VIEWS = ['problems', 'deprecated'] as const;
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

type RawSearch = Partial<Record<keyof RequestsSearch | keyof typeof API_NAMES, unknown>>;

export function toRequestsSearch(typed: RawSearch): RequestsSearch {
  const search = withOwnNames(typed);
  const last = choiceParam('last', search.last, SPANS);
  return {
    ...integerParam('status', search.status),
    ...choiceParam('code', search.code, CODES),
    ...textParam('operation', search.operation),
    ...textParam('method', search.method),
    ...textParam('key', search.key),
    ...textParam('server', search.server),
    ...textParam('id', search.id),
    ...textParam('trace', search.trace),
    ...integerParam('above', search.above),
    ...(typeof search.simulated === 'boolean' && { simulated: search.simulated }),
    ...textParam('path', search.path),
    ...(last.last === undefined && { ...timeParam('since', search.since), ...timeParam('until', search.until) }),
    ...last,
    ...choiceParam('view', search.view, VIEWS),
    ...(search.live === false && { live: false as const }),
    ...textParam('request', search.request),
  };
}

function withOwnNames(typed: RawSearch): RawSearch {
  const own = Object.entries(API_NAMES).flatMap(([name, filter]) => {
    const value = typed[name as keyof typeof API_NAMES]; // one of its own entries
    return value === undefined ? [] : [[filter, value] as const];
  });
  return { ...Object.fromEntries(own), ...typed };
}

export function hasFilters(search: RequestsSearch): boolean {
  return FILTERS.some((name) => search[name] !== undefined);
}

/** Returns the parts of an address that a saved view consists of: filters and the kind of list, not the open request. */
export const toSavedFilters = (search: RequestsSearch): Record<string, unknown> =>
  Object.fromEntries([...FILTERS, 'view' as const].map((name) => [name, search[name]]));

export function withoutFilters(search: RequestsSearch): RequestsSearch {
  return toRequestsSearch(without(search, FILTERS));
}

export function without(search: RequestsSearch, names: readonly Filter[]): RequestsSearch {
  return toRequestsSearch({ ...search, ...Object.fromEntries(names.map((name) => [name, undefined])) });
}

/** Returns whether the list can be live: not for a single request or for a range in the past. */
export const mayBeLive = ({ id, until }: RequestsSearch): boolean => id === undefined && until === undefined;

/** Limit of the API. */
const MAX_PATH_LENGTH = 200;

export type OpenedObject = 'request' | 'event' | 'delivery' | 'endpoint';
/** Result of a text in the search box: one object that is opened, or a filter. */
export type SearchTarget =
  | { opens: OpenedObject; id: string }
  | { filter: Pick<RequestsSearch, 'server' | 'key' | 'trace' | 'path'> }
  | undefined;

const OPENED_OBJECTS = { req: 'request', evt: 'event', dlv: 'delivery', whe: 'endpoint' } as const;

export function parseSearchText(text: string): SearchTarget {
  const value = text.trim();
  // The text can be a whole response or log line: no path of the API contains such an identifier.
  const [request] = /\breq_[0-9a-z]{26}\b/.exec(value) ?? [];
  if (request !== undefined) return { opens: 'request', id: request };
  const [, kind] = /^(srv|key|evt|dlv|whe)_[0-9a-z]{26}$/.exec(value) ?? [];
  if (kind === 'srv') return { filter: { server: value } };
  if (kind === 'key') return { filter: { key: value } };
  if (kind !== undefined) return { opens: OPENED_OBJECTS[kind as keyof typeof OPENED_OBJECTS], id: value }; // the pattern permits no other prefix
  // A trace id, alone or in a traceparent header.
  const [, trace] = /^(?:[0-9a-f]{2}-)?([0-9a-f]{32})(?:-[0-9a-f]{16}-[0-9a-f]{2})?$/i.exec(value) ?? [];
  if (trace !== undefined) return { filter: { trace: trace.toLowerCase() } };
  // A path, as it appears in a log or in an address bar.
  const path = value.replace(/^[A-Z-]+ +(?=\S)/, '').replace(/^https?:\/\/[^/]+|[?#].*$/g, '');
  return path === '' ? undefined : { filter: { path: path.slice(0, MAX_PATH_LENGTH) } };
}

const TIMES: readonly Filter[] = ['last', 'since', 'until'];

/**
 * Returns the search parameters after a search, which replaces the previous one. An identifier keeps only the time
 * range. Part of a path keeps the selected filters.
 */
export function applySearch(search: RequestsSearch, filter: FilterSearch): RequestsSearch {
  const replaced: readonly Filter[] =
    filter.path === undefined ? FILTERS.filter((name) => !TIMES.includes(name)) : ['path', 'id', 'trace'];
  return toRequestsSearch({ ...without(search, replaced), ...filter });
}
