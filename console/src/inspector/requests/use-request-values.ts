// Reads the values that the app's requests have: the choices of the filters. Read when a list of choices opens.
import { useQuery } from '@tanstack/react-query';
import { type AppScope, api, type RequestValues } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';

const FRESH_MS = 5_000;

export function useRequestValues(scope: AppScope, isWanted: boolean) {
  return useQuery({
    queryKey: [...queryKeys.requests(scope), 'values'],
    queryFn: ({ signal }): Promise<RequestValues> => api.getRequestValues(scope, { signal }),
    staleTime: FRESH_MS,
    enabled: isWanted,
  });
}
