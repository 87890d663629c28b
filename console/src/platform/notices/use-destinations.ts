// Reads and changes the destinations of an organisation's notices.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type NoticeDestination, type NoticeDestinationInput, type Operations } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { usePages } from '../../kit/use-pages.ts';

// The result of a test message appears after this time.
const LOOK_EVERY_MS = 3_000;

export function useDestinations(organisationId: string) {
  return usePages<NoticeDestination>({
    queryKey: queryKeys.noticeDestinations(organisationId),
    load: (cursor, signal) => api.listNoticeDestinations({ organisationId, limit: 50, ...cursor }, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  });
}

function useChange<Input, Result>(
  organisationId: string,
  mutationFn: (input: Input) => Promise<Result>,
  onSuccess?: (result: Result) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    gcTime: 0, // the response to a creation contains the secret, so it is not cached
    onSuccess: async (result) => {
      await queries.invalidateQueries({ queryKey: queryKeys.noticeDestinations(organisationId) });
      onSuccess?.(result);
    },
  });
}

/** `onWithoutSecret` is called if there is no signing secret to show. */
export const useCreateDestination = (organisationId: string, onWithoutSecret: () => void) =>
  useChange(
    organisationId,
    (body: NoticeDestinationInput) => api.createNoticeDestination({ organisationId, body }),
    ({ signingSecret }) => {
      if (signingSecret === null) onWithoutSecret();
    },
  );

export const useChangeDestination = (organisationId: string) =>
  useChange(organisationId, (input: Omit<Operations['updateNoticeDestination']['input'], 'organisationId'>) =>
    api.updateNoticeDestination({ organisationId, ...input }),
  );

export const useTestDestination = (organisationId: string, onSent: () => void) =>
  useChange(
    organisationId,
    (destinationId: string) => api.testNoticeDestination({ organisationId, destinationId }),
    onSent,
  );

export const useDeleteDestination = (organisationId: string, onDeleted: () => void) =>
  useChange(
    organisationId,
    (destinationId: string) => api.deleteNoticeDestination({ organisationId, destinationId }),
    onDeleted,
  );
