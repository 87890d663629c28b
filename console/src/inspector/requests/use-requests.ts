// The requests of an app under the filters of the address: pages of the list, and at their head what has come since.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { type AppScope, api, type RequestFilters, type RequestRecord } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { asReread, type Pages, usePages } from '../../kit/use-pages.ts';
import { countNew, MOST_SHOWN, withNew } from './tail-state.ts';
import { useTail } from './use-tail.ts';

const PAGE = 50;

interface LiveWish {
  /** Whether what comes can fit at all. */
  isOn: boolean;
  /** What comes is counted, and the list stays as it is. */
  isPaused: boolean;
}

export function useRequests(scope: AppScope, filters: RequestFilters, { isOn, isPaused }: LiveWish) {
  const queries = useQueryClient();
  const queryKey = [...queryKeys.requests(scope), 'pages', filters];
  const list = usePages<RequestRecord>({
    queryKey,
    load: (cursor, signal) => api.listRequests({ ...scope, ...filters, limit: PAGE, ...cursor }, { signal }),
    refetchOnWindowFocus: false, // what comes is the tail's
  });
  const tail = useTail(scope, filters, isOn);
  const { shown, waitingCount, beginnings, dispatch } = tail;
  const hasEnded = tail.connection === 'ended';
  const rereading = useRef<Promise<void>>(undefined);
  const isMoreWanted = useRef(false);

  /** The list anew: what came meanwhile is in it, or comes after it. Who has asked for more than is there gets it then. */
  const readAnew = async (): Promise<void> => {
    const wasMoreWanted = isMoreWanted.current;
    queries.setQueryData<Pages<RequestRecord>>(queryKey, (old) => old && asReread(old));
    const { data, isSuccess } = await list.refetch();
    if (!isSuccess) return;
    const listed = data.pages.flatMap((page) => page.data);
    dispatch({ type: 'reread', listed, hasMore: data.pages.at(-1)?.nextCursor !== null });
    if (wasMoreWanted) await list.fetchNextPage();
  };
  const reread = (): void => {
    rereading.current ??= readAnew().finally(() => {
      rereading.current = undefined;
    });
  };
  /** After what is being read: it would be given up. */
  const fetchNextPage = async (): Promise<void> => {
    await rereading.current;
    isMoreWanted.current = true;
    await list.fetchNextPage();
    isMoreWanted.current = false;
  };

  const hasRead = list.isSuccess;
  // biome-ignore-start lint/correctness/useExhaustiveDependencies: reread is made anew on each drawing and reads what is current
  useEffect(() => {
    // What was recorded after the list was read and before the tail began is in neither.
    if (hasRead && beginnings > 0) reread();
  }, [hasRead, beginnings]);
  useEffect(() => {
    if (shown.length > MOST_SHOWN) reread();
  }, [shown]);
  useEffect(() => {
    if (hasEnded) reread(); // whoever was signed out is led away by it
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
