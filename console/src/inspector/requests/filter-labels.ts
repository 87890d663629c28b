// Describes the active filters above the list.
import type { Key } from '../../kit/api.ts';
import { shorten } from '../../kit/shorten.ts';
import { exactTime, formatMs } from '../../kit/time.ts';
import { type Filter, type FilterSearch, NO_OPERATION, type Span } from './search.ts';

export const SPAN_LABELS: Record<Span, string> = {
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
};

export interface NamedObject {
  id: string;
  name: string;
}

export interface ActiveFilter {
  /** Filters that are removed together. */
  names: readonly Filter[];
  words: string;
}

export const describeStatus = (status: number): string => (status < 10 ? `${status}xx` : String(status));
export const atLeast = (ms: number): string => `At least ${formatMs(ms)}`;
export const describeOperation = (operation: string): string =>
  operation === NO_OPERATION ? 'No operation' : operation;
export const describeSimulated = (isSimulated: boolean): string => (isSimulated ? 'Simulated' : 'Not simulated');

const nameOf = (id: string, all: readonly NamedObject[]): string =>
  all.find((one) => one.id === id)?.name ?? shorten(id);

const filter = (name: Filter, words: string): ActiveFilter => ({ names: [name], words });

export function activeFilters(
  search: FilterSearch,
  keys: readonly Key[],
  servers: readonly NamedObject[],
): ActiveFilter[] {
  const { path, id, trace, status, code, operation, method, key, server, above, simulated } = search;
  return [
    ...(path === undefined ? [] : [filter('path', `Path contains “${path}”`)]),
    ...(id === undefined ? [] : [filter('id', `Request ${shorten(id)}`)]),
    ...(trace === undefined ? [] : [filter('trace', `Trace ${trace.slice(0, 4)}…${trace.slice(-4)}`)]),
    ...(status === undefined ? [] : [filter('status', `Status ${describeStatus(status)}`)]),
    ...(code === undefined ? [] : [filter('code', code)]),
    ...(operation === undefined ? [] : [filter('operation', describeOperation(operation))]),
    ...(method === undefined ? [] : [filter('method', method)]),
    ...(key === undefined ? [] : [filter('key', `Key ${nameOf(key, keys)}`)]),
    ...(server === undefined ? [] : [filter('server', `Server ${nameOf(server, servers)}`)]),
    ...(above === undefined ? [] : [filter('above', atLeast(above))]),
    ...(simulated === undefined ? [] : [filter('simulated', describeSimulated(simulated))]),
    ...timeFilter(search),
  ];
}

function timeFilter(search: FilterSearch): ActiveFilter[] {
  const words = describeTimeRange(search);
  return words === undefined ? [] : [{ names: ['last', 'since', 'until'], words }];
}

/** Describes the time filter; undefined if there is none. */
export function describeTimeRange({ last, since, until }: FilterSearch): string | undefined {
  if (last !== undefined) return SPAN_LABELS[last];
  if (since !== undefined && until !== undefined) return `${exactTime(since)} to ${exactTime(until)}`;
  if (since !== undefined) return `Since ${exactTime(since)}`;
  return until === undefined ? undefined : `Before ${exactTime(until)}`;
}
