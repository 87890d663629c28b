// The drills of an endpoint's receiver: reading them as they go on, and starting one.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api, type Drill } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { usePages } from '../../kit/use-pages.ts';

const POLL_MS = 1_000;
const LIST_POLL_MS = 5_000;

const drillsKey = (scope: AppScope, endpointId: string) => [...queryKeys.endpoints(scope), 'drills', endpointId];

export function useDrills(scope: AppScope, endpointId: string) {
  return usePages<Drill>({
    queryKey: [...drillsKey(scope, endpointId), 'pages'],
    load: (cursor, signal) => api.listDrills({ ...scope, endpointId, limit: 20, ...cursor }, { signal }),
    refetchInterval: LIST_POLL_MS,
  });
}

export function useDrill(scope: AppScope, endpointId: string, drillId: string) {
  return useQuery({
    queryKey: [...drillsKey(scope, endpointId), drillId],
    queryFn: ({ signal }) => api.getDrill({ ...scope, drillId }, { signal }),
    refetchInterval: ({ state }) => (state.data?.finishedAt || state.error ? false : POLL_MS),
  });
}

export function useStartDrill(scope: AppScope, endpointId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.createDrill({ ...scope, endpointId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: drillsKey(scope, endpointId) }),
  });
}
