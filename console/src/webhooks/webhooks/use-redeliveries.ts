// Counts, starts, follows and changes redelivery jobs.
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api, type Redelivery, type RedeliveryInput, type RedeliveryPreview } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { toFeedName, useLiveRefresh } from '../../kit/use-live-refresh.ts';
import { usePages } from '../../kit/use-pages.ts';

const jobsKey = (scope: AppScope) => [...queryKeys.deliveries(scope), 'jobs'];

export function useRedeliveries(scope: AppScope) {
  return usePages<Redelivery>({
    queryKey: [...jobsKey(scope), 'pages'],
    load: (cursor, signal) => api.listRedeliveries({ ...scope, limit: 25, ...cursor }, { signal }),
    read: (limit = 25) => toFeedName('listRedeliveries', { ...scope, limit }),
  });
}

export function useRedelivery(scope: AppScope, redeliveryId: string) {
  const input = { ...scope, redeliveryId };
  const queryKey = [...jobsKey(scope), redeliveryId];
  useLiveRefresh(toFeedName('getRedelivery', input), queryKey);
  return useQuery({ queryKey, queryFn: ({ signal }) => api.getRedelivery(input, { signal }) });
}

/** Returns how many deliveries match, without creating any. */
async function countRedelivery(scope: AppScope, body: RedeliveryInput): Promise<RedeliveryPreview> {
  const answer = await api.createRedelivery({ ...scope, body: { ...body, isDryRun: true } });
  if (!('durationSeconds' in answer)) throw new Error('Expected a preview as the response to a dry run.');
  return answer;
}

/** Returns a mutation that counts on demand, because a form changes with each typed character. */
export function useCountRedelivery(scope: AppScope) {
  return useMutation({ mutationFn: (body: RedeliveryInput) => countRedelivery(scope, body) });
}

/** Returns a query that counts immediately, and again when `body` changes. It waits while `body` is undefined. */
export function useRedeliveryCount(scope: AppScope, body: RedeliveryInput | undefined) {
  return useQuery({
    queryKey: [...jobsKey(scope), 'count', body],
    queryFn: body ? () => countRedelivery(scope, body) : skipToken,
  });
}

export function useStartRedelivery(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: RedeliveryInput): Promise<Redelivery> => {
      const answer = await api.createRedelivery({ ...scope, body });
      if (!('id' in answer)) throw new Error('Expected a redelivery as the response.');
      return answer;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.deliveries(scope) }),
  });
}

export function useUpdateRedelivery(scope: AppScope, redeliveryId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (state: 'running' | 'paused' | 'cancelled') =>
      api.updateRedelivery({ ...scope, redeliveryId, body: { state } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.deliveries(scope) }),
  });
}
