// Forecasts a change, part by part until the forecast is complete.
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AccessChangeInput, type AppScope, api } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { useAllPages } from '../../kit/use-all-pages.ts';

/** Returns the newest part, which has the totals so far. */
export function useForecast(scope: AppScope, change: AccessChangeInput) {
  const query = useInfiniteQuery({
    queryKey: [...queryKeys.requests(scope), 'forecast', change],
    initialPageParam: undefined as string | undefined, // the first part has no cursor
    queryFn: ({ pageParam: cursor, signal }) =>
      api.forecastAccess({ ...scope, body: { ...change, ...(cursor !== undefined && { cursor }) } }, { signal }),
    getNextPageParam: (part) => part.nextCursor ?? undefined,
    refetchOnWindowFocus: false,
    gcTime: 0, // a dialog that opens again shows the current records
  });
  useAllPages(query);
  return { forecast: query.data?.pages.at(-1), error: query.error };
}
