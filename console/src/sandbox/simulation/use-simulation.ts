// Reads and changes the sandbox data and the fault rules of an app.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api, type EventTrigger, type Fault, type FaultInput, type World } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { toFeedName } from '../../kit/use-live-refresh.ts';
import { usePages } from '../../kit/use-pages.ts';

const LOOK_EVERY_MS = 5_000;

export type Speed = World['clock']['speed'];
export type WorldOrigin = Pick<World, 'preset' | 'seed' | 'epoch'>;

export function useWorld(scope: AppScope) {
  return useQuery({
    queryKey: queryKeys.world(scope),
    queryFn: ({ signal }) => api.getWorld(scope, { signal }),
    refetchInterval: LOOK_EVERY_MS, // the sandbox data changes over time
  });
}

export function useResetWorld(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: WorldOrigin) => api.resetWorld({ ...scope, body }),
    onSuccess: (world) => {
      queries.setQueryData(queryKeys.world(scope), world);
      // A reset replaces servers, and with them grants and deliveries.
      return queries.invalidateQueries({ queryKey: queryKeys.everythingOf(scope) });
    },
  });
}

export function useSetSpeed(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (speed: Speed) => api.setWorldClock({ ...scope, body: { speed } }),
    onSuccess: (world) => queries.setQueryData(queryKeys.world(scope), world),
  });
}

export function useTriggerEvent(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: EventTrigger) => api.triggerEvent({ ...scope, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.everythingOf(scope) }),
  });
}

export function useFaults(scope: AppScope) {
  return usePages<Fault>({
    queryKey: queryKeys.faults(scope),
    load: (cursor, signal) => api.listFaults({ ...scope, limit: 50, ...cursor }, { signal }),
    read: (limit = 50) => toFeedName('listFaults', { ...scope, limit }),
  });
}

export function useCreateFault(scope: AppScope) {
  return useFaultMutation(scope, (body: FaultInput) => api.createFault({ ...scope, body }));
}

export interface FaultChange {
  faultId: string;
  change: { share?: number; isEnabled?: boolean };
}

export function useChangeFault(scope: AppScope) {
  return useFaultMutation(scope, ({ faultId, change }: FaultChange) =>
    api.updateFault({ ...scope, faultId, body: change }),
  );
}

export function useDeleteFault(scope: AppScope) {
  return useFaultMutation(scope, (faultId: string) => api.deleteFault({ ...scope, faultId }));
}

function useFaultMutation<Wish, Done>(scope: AppScope, mutationFn: (input: Wish) => Promise<Done>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.faults(scope) }),
  });
}
