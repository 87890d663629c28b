// Reads the attempts of an endpoint over time.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type AppScope, type AttemptBucket, api } from '../../kit/api.ts';
import { endOf, withEnds } from '../../kit/chart-parts.ts';
import { grouped } from '../../kit/number.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { toFeedName, useLiveRefresh } from '../../kit/use-live-refresh.ts';
import type { EndpointSearch } from './search.ts';

const HOUR_MS = 3_600_000;
const DAY = { spanMs: 24 * HOUR_MS, partMs: HOUR_MS / 2 };
const WEEK = { spanMs: 7 * 24 * HOUR_MS, partMs: 4 * HOUR_MS };

export function useAttemptHistogram(scope: AppScope, endpointId: string, last: EndpointSearch['charts']) {
  const queryKey = [...queryKeys.endpoints(scope), 'attempts', endpointId, last];
  // Follows the endpoint: each attempt changes its health. The histogram itself would change with each read, because
  // its range ends now.
  useLiveRefresh(toFeedName('getEndpoint', { ...scope, endpointId }), queryKey);
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const nowMs = Date.now();
      const input = { ...scope, endpointId, ...toHistogramQuery(last, nowMs) };
      const { data, ...span } = await api.getAttemptHistogram(input, { signal });
      const until = endOf(data, span.until, nowMs);
      return { ...span, until, parts: withEnds(data, until) };
    },
    placeholderData: keepPreviousData,
  });
}

/** Returns the range of the histogram, aligned to full buckets, so that counts stay in their bucket. */
export function toHistogramQuery(last: EndpointSearch['charts'], nowMs: number) {
  const { spanMs, partMs } = last === '7d' ? WEEK : DAY;
  const untilMs = Math.ceil(nowMs / partMs) * partMs;
  return {
    since: new Date(untilMs - spanMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    buckets: spanMs / partMs,
  };
}

type AttemptCounts = Pick<AttemptBucket, 'succeeded' | 'failed'>;

export const sumOfAttempts = (parts: readonly AttemptCounts[]): AttemptCounts =>
  parts.reduce((sum, one) => ({ succeeded: sum.succeeded + one.succeeded, failed: sum.failed + one.failed }), {
    succeeded: 0,
    failed: 0,
  });

/** Returns per cent, rounded down, so that a single failure stays visible. Undefined without attempts. */
export function percentOf({ succeeded, failed }: AttemptCounts): number | undefined {
  return succeeded + failed === 0 ? undefined : Math.floor((100 * succeeded) / (succeeded + failed));
}

export function describeAttempts(counted: AttemptCounts): string {
  const percent = percentOf(counted);
  if (percent === undefined) return 'no attempts';
  const total = counted.succeeded + counted.failed;
  if (total === 1) return `1 attempt, which ${percent === 100 ? 'succeeded' : 'failed'}`;
  return `${percent} % of ${grouped(total)} attempts succeeded`;
}
