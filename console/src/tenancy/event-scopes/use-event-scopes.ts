// Reads which events the announced rule about the scopes of events withholds from the app, and enforces the rule early.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';

export function useEventScopes(scope: AppScope) {
  return useQuery({
    queryKey: queryKeys.eventScopes(scope),
    queryFn: ({ signal }) => api.getEventScopes(scope, { signal }),
    // The server counts thousands of events for each read, and an enforced rule stays enforced.
    staleTime: ({ state }) => (state.data?.state === 'enforced' ? Number.POSITIVE_INFINITY : 0),
  });
}

export function useEnforceEventScopes(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.enforceEventScopes(scope),
    onSuccess: (rule) => queries.setQueryData(queryKeys.eventScopes(scope), rule),
  });
}
