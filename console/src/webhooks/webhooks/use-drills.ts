// Reads and follows the drills of an endpoint, and starts one.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api, type Drill } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { toFeedName, useLiveRefresh } from '../../kit/use-live-refresh.ts';
import { usePages } from '../../kit/use-pages.ts';

const drillsKey = (scope: AppScope, endpointId: string) => [...queryKeys.endpoints(scope), 'drills', endpointId];

export function useDrills(scope: AppScope, endpointId: string) {
  return usePages<Drill>({
    queryKey: [...drillsKey(scope, endpointId), 'pages'],
    load: (cursor, signal) => api.listDrills({ ...scope, endpointId, limit: 20, ...cursor }, { signal }),
    read: (limit = 20) => toFeedName('listDrills', { ...scope, endpointId, limit }),
  });
}

export function useDrill(scope: AppScope, endpointId: string, drillId: string) {
  const input = { ...scope, drillId };
  const queryKey = [...drillsKey(scope, endpointId), drillId];
  useLiveRefresh(toFeedName('getDrill', input), queryKey);
  return useQuery({ queryKey, queryFn: ({ signal }) => api.getDrill(input, { signal }) });
}

export function useStartDrill(scope: AppScope, endpointId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.createDrill({ ...scope, endpointId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: drillsKey(scope, endpointId) }),
  });
}
