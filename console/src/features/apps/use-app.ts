// The app that the address names.
import { useQuery } from '@tanstack/react-query';
import { type AppScope, api } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';

export function useApp(scope: AppScope) {
  return useQuery({
    queryKey: queryKeys.app(scope),
    queryFn: ({ signal }) => api.getApp(scope, { signal }),
    staleTime: 60_000,
  });
}
