// Reads the requests under the filters of the address: pages of the list, preceded by new requests of the tail.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { type AppScope, api, type RequestFilters, type RequestRecord } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { type Pages, toRefreshedPages, usePages } from '../../kit/use-pages.ts';
import { countNew, MAX_NEW_REQUESTS, withNew } from './tail-state.ts';
import { useTail } from './use-tail.ts';

const PAGE = 50;

interface LiveOptions {
  /** True if new requests can match. */
  isOn: boolean;
  /** While true, new requests are counted and the list stays unchanged. */
  isPaused: boolean;
}

export function useRequests(scope: AppScope, filters: RequestFilters, { isOn, isPaused }: LiveOptions) {
  const queries = useQueryClient();
  const queryKey = [...queryKeys.requests(scope), 'pages', filters];
  const list = usePages<RequestRecord>({
    queryKey,
    load: (cursor, signal) => api.listRequests({ ...scope, ...filters, limit: PAGE, ...cursor }, { signal }),
    refetchOnWindowFocus: false, // the tail brings new requests
  });
  const tail = useTail(scope, filters, isOn);
  const { shown, waitingCount, beginnings, dispatch } = tail;
  const hasEnded = tail.connection === 'ended';
  const rereading = useRef<Promise<void>>(undefined);
  const isMoreWanted = useRef(false);

  /**
   * Reads the list again. New requests are in it or arrive after it. If the user asked for another page meanwhile, that
   * page follows.
   */
  const reload = async (): Promise<void> => {
    const wasMoreWanted = isMoreWanted.current;
    queries.setQueryData<Pages<RequestRecord>>(queryKey, (old) => old && toRefreshedPages(old));
    const { data, isSuccess } = await list.refetch();
    if (!isSuccess) return;
    const listed = data.pages.flatMap((page) => page.data);
    dispatch({ type: 'reread', listed, hasMore: data.pages.at(-1)?.nextCursor !== null });
    if (wasMoreWanted) await list.fetchNextPage();
  };
  const reread = (): void => {
    rereading.current ??= reload().finally(() => {
      rereading.current = undefined;
    });
  };
  /** Waits for a refresh in progress, which would otherwise be cancelled. */
  const fetchNextPage = async (): Promise<void> => {
    await rereading.current;
    isMoreWanted.current = true;
    await list.fetchNextPage();
    isMoreWanted.current = false;
  };

  const hasRead = list.isSuccess;
  // biome-ignore-start lint/correctness/useExhaustiveDependencies: reread changes with each render and reads current values
  useEffect(() => {
    // Requests between the read of the list and the start of the tail are in neither.
    if (hasRead && beginnings > 0) reread();
  }, [hasRead, beginnings]);
  useEffect(() => {
    if (shown.length > MAX_NEW_REQUESTS) reread();
  }, [shown]);
  useEffect(() => {
    if (hasEnded) reread(); // if the session has ended, this read leads to the sign-in page
  }, [hasEnded]);
  // biome-ignore-end lint/correctness/useExhaustiveDependencies: as above

  const show = useCallback(() => dispatch({ type: 'show' }), [dispatch]);
  const mayShow = waitingCount > 0 && !isPaused;
  useEffect(() => {
    if (mayShow) show();
  }, [mayShow, show]);

  const { items: listed, hasNextPage } = list;
  const items = useMemo(() => listed && withNew(listed, shown, hasNextPage), [listed, shown, hasNextPage]);
  const newCount = countNew(tail, listed ?? []);
  return { list: { ...list, fetchNextPage }, items, tail, newCount, show };
}
