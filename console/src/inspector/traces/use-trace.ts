// Follows a trace while it is shown; components that read the same trace share the query.
import { useQuery } from '@tanstack/react-query';
import { type AppScope, api } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { toFeedName, useLiveRefresh } from '../../kit/use-live-refresh.ts';

export function useTrace(scope: AppScope, tracedId: string) {
  const input = { ...scope, tracedId };
  const queryKey = [...queryKeys.traces(scope), tracedId];
  useLiveRefresh(toFeedName('getTrace', input), queryKey);
  return useQuery({ queryKey, queryFn: ({ signal }) => api.getTrace(input, { signal }) });
}
