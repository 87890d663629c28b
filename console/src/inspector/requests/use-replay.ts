// Making a request again: what may be sent beside its record, and what that makes stale.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api, type NewReplay, type ReplayAnswer } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';

export function useReplay(scope: AppScope, requestId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewReplay) => api.replayRequest({ ...scope, requestId, body }),
    onSuccess: () =>
      Promise.all(
        [queryKeys.requests(scope), queryKeys.deliveries(scope)].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

export type Replay = ReturnType<typeof useReplay>;

type LeftOut = ReplayAnswer['leftOut'][number];
const WORDS: Partial<Record<LeftOut, string>> = { body: 'its body', fault: 'the fault that was simulated' };

/** What made the first answer what it was, and not this one. */
export function leftOutWords(leftOut: readonly LeftOut[]): string {
  return `Left out of what was sent: ${leftOut.map((one) => WORDS[one] ?? `its ${one}`).join(', ')}.`;
}

/** A call that changes nothing needs no confirmation. */
export function isMutation(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}
