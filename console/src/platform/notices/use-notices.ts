// Reads the notices of the organisation, counts unread ones, marks one as read, and keeps the member's mail settings.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Notice, type NoticeMailSettings } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { usePages } from '../../kit/use-pages.ts';
import type { NoticesSearch } from './search.ts';

const LOOK_EVERY_MS = 60_000;
/** A higher number is shown as "9+". */
export const MAX_COUNTED = 9;

export function useNotices(organisationId: string, search: NoticesSearch) {
  return usePages<Notice>({
    queryKey: [...queryKeys.notices(organisationId), 'list', search],
    load: (cursor, signal) => api.listNotices({ organisationId, limit: 50, ...search, ...cursor }, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  });
}

/** Returns the number of unread notices, at most `MAX_COUNTED` + 1. */
export function useUnreadCount(organisationId: string): number {
  const query = useQuery({
    queryKey: [...queryKeys.notices(organisationId), 'unread'],
    queryFn: ({ signal }) => api.listNotices({ organisationId, limit: MAX_COUNTED + 1, unread: true }, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  });
  return query.data?.data.length ?? 0;
}

export function useReadNotice(organisationId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (noticeId: string) => api.readNotice({ organisationId, noticeId }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.notices(organisationId) }),
  });
}

export function useNoticeMailSettings(organisationId: string) {
  return useQuery({
    queryKey: queryKeys.noticeMailSettings(organisationId),
    queryFn: ({ signal }) => api.getNoticeMailSettings({ organisationId }, { signal }),
  });
}

export function useSetNoticeMailSettings(organisationId: string, onSaved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NoticeMailSettings) => api.setNoticeMailSettings({ organisationId, body }),
    onSuccess: (settings) => {
      queries.setQueryData(queryKeys.noticeMailSettings(organisationId), settings);
      onSaved();
    },
  });
}
