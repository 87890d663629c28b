// Replays a request, and invalidates reads that it can change.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api, type ReplayAnswer, type ReplayInput } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';

export function useReplay(scope: AppScope, requestId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ReplayInput) => api.replayRequest({ ...scope, requestId, body }),
    onSuccess: () =>
      Promise.all(
        [queryKeys.requests(scope), queryKeys.deliveries(scope)].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

export type Replay = ReturnType<typeof useReplay>;

type OmittedPart = ReplayAnswer['omittedParts'][number];
const OMITTED_PART_LABELS: Partial<Record<OmittedPart, string>> = { body: 'its body', fault: 'the simulated fault' };

/** Describes the parts of the original request that the replay omitted. */
export function describeOmittedParts(omittedParts: readonly OmittedPart[]): string {
  return `Omitted from the original request: ${omittedParts.map((one) => OMITTED_PART_LABELS[one] ?? `its ${one}`).join(', ')}.`;
}

/** Returns whether a replay can change data and so needs a confirmation. */
export function isMutation(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}
