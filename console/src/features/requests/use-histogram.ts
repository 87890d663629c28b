// How many requests there were when, under the filters of the address; looked at again while the list is live.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type AppScope, api, type RequestBucket, type RequestFilters } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { periodOf } from './filters.ts';
import type { FilterSearch } from './search.ts';

const LOOK_EVERY_MS = 10_000;

/** A part of the time, with its end. */
export interface Bar extends RequestBucket {
  until: string;
}

export interface Histogram {
  bars: Bar[];
  since: string;
  until: string;
  /** What lies before is left out. */
  searchedUntil: string | null;
}

const EMPTY: Histogram | null = null;

export function useHistogram(scope: AppScope, search: FilterSearch, filters: RequestFilters, isLive: boolean) {
  return useQuery({
    queryKey: [...queryKeys.requests(scope), 'histogram', filters],
    queryFn: async ({ signal }): Promise<Histogram | null> => {
      const period = periodOf(search, Date.now());
      if (!period) return EMPTY;
      const { data, ...span } = await api.getRequestHistogram({ ...scope, ...filters, ...period }, { signal });
      return { ...span, bars: data.map((one, at) => ({ ...one, until: data[at + 1]?.at ?? span.until })) };
    },
    placeholderData: keepPreviousData,
    ...(isLive && { refetchInterval: LOOK_EVERY_MS }),
  });
}

export interface Totals {
  count: number;
  /** 4xx. */
  refused: number;
  /** 5xx. */
  failed: number;
}

export const totalsOf = ({ count, errors, serverErrors }: RequestBucket): Totals => ({
  count,
  refused: errors - serverErrors,
  failed: serverErrors,
});

export function sumOf(bars: readonly RequestBucket[]): Totals {
  return bars.map(totalsOf).reduce(
    (sum, one) => ({
      count: sum.count + one.count,
      refused: sum.refused + one.refused,
      failed: sum.failed + one.failed,
    }),
    { count: 0, refused: 0, failed: 0 },
  );
}

const counted = (count: number): string => count.toLocaleString('en');

export function totalsInWords({ count, refused, failed }: Totals): string {
  const parts = [
    `${counted(count)} ${count === 1 ? 'request' : 'requests'}`,
    ...(refused > 0 ? [`${counted(refused)} refused (4xx)`] : []),
    ...(failed > 0 ? [`${counted(failed)} failed (5xx)`] : []),
  ];
  return parts.join(', ');
}
