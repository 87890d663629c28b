// Converts the search parameters of the address to the API's filters.
import { defined, type RequestFilters } from '../../kit/api.ts';
import { useSame } from '../../kit/use-same.ts';
import { FILTERS, type FilterSearch, type Span } from './search.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const SPAN_MS: Record<Span, number> = {
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
};

const isoOf = (atMs: number): string => new Date(atMs).toISOString();

/** Returns when a span that ends now begins: on a full minute. */
export const startOfSpan = (span: Span, nowMs: number): string => isoOf(nowMs - (nowMs % MINUTE_MS) - SPAN_MS[span]);

/** Returns the API's filters. A span that ends now begins on a full minute. */
export function filtersOf(search: FilterSearch, nowMs: number): RequestFilters {
  const { status, code, operation, method, key, server, id, trace, above, simulated, path, last, until } = search;
  const since = last === undefined ? search.since : startOfSpan(last, nowMs);
  return defined({
    ...(status !== undefined && (status < 10 ? { statusClass: status } : { status })),
    ...{ code, method, simulated, path, since, until },
    operationId: operation,
    keyId: key,
    serverId: server,
    requestId: id,
    traceId: trace,
    minDurationMs: above,
  });
}

/** Returns the same filters as long as the address has the same ones, because pages of a list belong to one filter. */
export function useFilters(search: FilterSearch): RequestFilters {
  const filters = FILTERS.map((name) => [name, search[name]]);
  return useSame(filters, () => filtersOf(search, Date.now()));
}

/** Time range of a histogram, and its bucket size. */
interface Period {
  since: string;
  until: string;
  buckets: number;
}

const BUCKET_MS: Record<Span, number> = {
  '15m': 15_000,
  '1h': MINUTE_MS,
  '24h': 30 * MINUTE_MS,
  '7d': 4 * HOUR_MS,
};
const BUCKETS_OF_FIXED = 48;

/** Returns the range of the histogram, by default the last day; undefined if it ends before it begins. */
export function periodOf({ last, since, until }: FilterSearch, nowMs: number): Period | undefined {
  if (last !== undefined || (since === undefined && until === undefined)) {
    const span = last ?? '24h';
    // Aligned to full buckets, so that counts stay in their bucket.
    const untilMs = Math.ceil(nowMs / BUCKET_MS[span]) * BUCKET_MS[span];
    return {
      since: isoOf(untilMs - SPAN_MS[span]),
      until: isoOf(untilMs),
      buckets: SPAN_MS[span] / BUCKET_MS[span],
    };
  }
  const untilMs = until === undefined ? nowMs : Date.parse(until);
  const sinceMs = since === undefined ? untilMs - DAY_MS : Date.parse(since);
  if (sinceMs >= untilMs) return undefined;
  return { since: isoOf(sinceMs), until: isoOf(untilMs), buckets: BUCKETS_OF_FIXED };
}
