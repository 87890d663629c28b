// The app's endpoints: reading them, and what a change makes stale.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api, type Endpoint, type EventType } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { usePages } from '../../kit/use-pages.ts';

export function useEndpoints(scope: AppScope, isWanted = true) {
  return usePages<Endpoint>({
    queryKey: queryKeys.endpoints(scope),
    load: (cursor, signal) => api.listEndpoints({ ...scope, limit: 100, ...cursor }, { signal }),
    isWanted,
  });
}

export interface EndpointWishes {
  url: string;
  keyId: string;
  eventTypes: EventType[];
  description: string;
}

export function useCreateEndpoint(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: EndpointWishes) => api.createEndpoint({ ...scope, body }),
    gcTime: 0, // the answer holds the signing secret
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.endpoints(scope) }),
  });
}

export function useDeleteEndpoint(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (endpointId: string) => api.deleteEndpoint({ ...scope, endpointId }),
    onSuccess: () =>
      Promise.all(
        [queryKeys.endpoints(scope), queryKeys.deliveries(scope)].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
