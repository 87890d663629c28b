// Reads and follows one delivery, and redelivers it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { toFeedName, useLiveRefresh } from '../../kit/use-live-refresh.ts';

export function useDelivery(scope: AppScope, deliveryId: string) {
  const input = { ...scope, deliveryId };
  const queryKey = [...queryKeys.deliveries(scope), 'one', deliveryId];
  useLiveRefresh(toFeedName('getDelivery', input), queryKey);
  return useQuery({ queryKey, queryFn: ({ signal }) => api.getDelivery(input, { signal }) });
}

export function useRedeliver(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: string) => api.redeliverDelivery({ ...scope, deliveryId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.deliveries(scope) }),
  });
}
