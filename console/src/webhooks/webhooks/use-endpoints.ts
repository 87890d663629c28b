// Reads and changes the app's endpoints.
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api, type Condition, type Endpoint, type EndpointChange } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { toFeedName, useLiveRefresh } from '../../kit/use-live-refresh.ts';
import { usePages } from '../../kit/use-pages.ts';

export function useEndpoints(scope: AppScope, isWanted = true) {
  return usePages<Endpoint>({
    queryKey: queryKeys.endpoints(scope),
    load: (cursor, signal) => api.listEndpoints({ ...scope, limit: 100, ...cursor }, { signal }),
    read: () => toFeedName('listEndpoints', { ...scope, limit: 100 }),
    isWanted,
  });
}

const oneKey = (scope: AppScope, endpointId: string) => [...queryKeys.endpoints(scope), 'one', endpointId];

export function useEndpoint(scope: AppScope, endpointId: string) {
  const input = { ...scope, endpointId };
  const queryKey = oneKey(scope, endpointId);
  useLiveRefresh(toFeedName('getEndpoint', input), queryKey);
  return useQuery({ queryKey, queryFn: ({ signal }) => api.getEndpoint(input, { signal }) });
}

interface NewEndpointInput {
  url: string;
  keyIds: string[];
  eventTypes: Endpoint['eventTypes'];
  serverIds?: Endpoint['serverIds'];
  conditions?: Condition[];
  description: string;
}

export function useCreateEndpoint(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewEndpointInput) => api.createEndpoint({ ...scope, body }),
    gcTime: 0, // the response contains the signing secret
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.endpoints(scope) }),
  });
}

export function useUpdateEndpoint(scope: AppScope, endpointId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: EndpointChange) => api.updateEndpoint({ ...scope, endpointId, body }),
    gcTime: 0, // the change can contain header values
    onSuccess: (endpoint) => {
      queries.setQueryData(oneKey(scope, endpointId), endpoint);
      return invalidate(queries, scope);
    },
  });
}

export function useDeleteEndpoint(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (endpointId: string) => api.deleteEndpoint({ ...scope, endpointId }),
    // The page of a deleted endpoint is left without reading it again.
    onSuccess: (_, endpointId) => void invalidate(queries, scope, endpointId),
  });
}

function invalidate(queries: QueryClient, scope: AppScope, besides?: string): Promise<unknown> {
  const isMeant = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => !queryKey.includes(besides ?? '');
  return Promise.all(
    [queryKeys.endpoints(scope), queryKeys.deliveries(scope)].map((queryKey) =>
      queries.invalidateQueries({ queryKey, predicate: isMeant }),
    ),
  );
}

export function useRotateSecret(scope: AppScope, endpointId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (overlapHours: number) => api.rotateSigningSecret({ ...scope, endpointId, body: { overlapHours } }),
    gcTime: 0, // the response contains the signing secret
    onSuccess: () => queries.invalidateQueries({ queryKey: oneKey(scope, endpointId) }),
  });
}

export function useEndOverlap(scope: AppScope, endpointId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.endPreviousSecret({ ...scope, endpointId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: oneKey(scope, endpointId) }),
  });
}

export function useRevealSecret(scope: AppScope, endpointId: string) {
  return useMutation({
    mutationFn: () => api.revealSigningSecret({ ...scope, endpointId }),
    gcTime: 0, // the response is the signing secret
  });
}
