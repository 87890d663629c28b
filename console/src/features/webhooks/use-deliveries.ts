// One delivery, looked at again until it has ended; and another like it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';

const POLL_MS = 2_000;

export function useDelivery(scope: AppScope, deliveryId: string) {
  return useQuery({
    queryKey: [...queryKeys.deliveries(scope), 'one', deliveryId],
    queryFn: ({ signal }) => api.getDelivery({ ...scope, deliveryId }, { signal }),
    refetchInterval: ({ state }) => (state.data?.finishedAt || state.error ? false : POLL_MS),
  });
}

export function useRedeliver(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: string) => api.redeliverDelivery({ ...scope, deliveryId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.deliveries(scope) }),
  });
}
