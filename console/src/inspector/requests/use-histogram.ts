// Reads the histogram of requests and durations under the filters of the address. Refreshed while the list is live.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type AppScope, api, type RequestBucket, type RequestFilters } from '../../kit/api.ts';
import { endOf, type TimePart, withEnds } from '../../kit/chart-parts.ts';
import { grouped } from '../../kit/number.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { formatMs } from '../../kit/time.ts';
import { periodOf } from './filters.ts';
import type { FilterSearch } from './search.ts';

const LOOK_EVERY_MS = 10_000;

export interface Histogram {
  parts: (RequestBucket & TimePart)[];
  since: string;
  until: string;
  /** Earlier requests are not counted. Null if all are. */
  searchedUntil: string | null;
}

const EMPTY: Histogram | null = null;

export function useHistogram(scope: AppScope, search: FilterSearch, filters: RequestFilters, isLive: boolean) {
  return useQuery({
    queryKey: [...queryKeys.requests(scope), 'histogram', filters],
    queryFn: async ({ signal }): Promise<Histogram | null> => {
      const nowMs = Date.now();
      const period = periodOf(search, nowMs);
      if (!period) return EMPTY;
      const { data, ...span } = await api.getRequestHistogram({ ...scope, ...filters, ...period }, { signal });
      const until = endOf(data, span.until, nowMs);
      return { ...span, until, parts: withEnds(data, until) };
    },
    placeholderData: keepPreviousData,
    ...(isLive && { refetchInterval: LOOK_EVERY_MS }),
  });
}

export interface Totals {
  count: number;
  /** Number of 4xx responses. */
  refused: number;
  /** Number of 5xx responses. */
  failed: number;
  unanswered: number;
}

export const totalsOf = ({ count, errors, serverErrors, unanswered }: RequestBucket): Totals => ({
  count,
  refused: errors - serverErrors,
  failed: serverErrors,
  unanswered,
});

export function sumOf(parts: readonly RequestBucket[]): Totals {
  return parts.map(totalsOf).reduce(
    (sum, one) => ({
      count: sum.count + one.count,
      refused: sum.refused + one.refused,
      failed: sum.failed + one.failed,
      unanswered: sum.unanswered + one.unanswered,
    }),
    { count: 0, refused: 0, failed: 0, unanswered: 0 },
  );
}

export function describeTotals({ count, refused, failed, unanswered }: Totals): string {
  const words = [
    `${grouped(count)} ${count === 1 ? 'request' : 'requests'}`,
    ...(refused > 0 ? [`${grouped(refused)} refused (4xx)`] : []),
    ...(failed > 0 ? [`${grouped(failed)} failed (5xx)`] : []),
    ...(unanswered > 0 ? [`${grouped(unanswered)} not answered`] : []),
  ];
  return words.join(', ');
}

export function describeDurations({ p50Ms, p95Ms, p99Ms }: NonNullable<RequestBucket['durations']>): string {
  return `p50 ${formatMs(p50Ms)}, p95 ${formatMs(p95Ms)}, p99 ${formatMs(p99Ms)}`;
}

export function cellsOf(part: RequestBucket): string[] {
  const { count, refused, failed, unanswered } = totalsOf(part);
  const { p50Ms, p95Ms, p99Ms } = part.durations ?? {};
  const durations = [p50Ms, p95Ms, p99Ms].map((ms) => (ms === undefined ? '–' : formatMs(ms)));
  return [...[count, refused, failed, unanswered].map(grouped), ...durations];
}
