// A list that the API hands out in pages, as one growing list.
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { isReread, useFollowed } from './use-live.ts';

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
  /** Of a search that stops before it is full: all that fits back to this moment is there. */
  searchedUntil?: string | null;
}

export type Pages<T> = InfiniteData<Page<T>, string | undefined>;

/** Beyond the first page as much as the API gives. */
const LATER_LIMIT = 100;
export interface PagesOptions<T> {
  queryKey: readonly unknown[];
  /** `next` goes before what the first page is asked with. */
  load(next: { cursor?: string; limit?: number }, signal: AbortSignal): Promise<Page<T>>;
  refetchInterval?: number;
  /** Read again when this read, of as many as there are pages of, is answered differently; in place of an interval. */
  read?(limit: number | undefined): string;
  refetchOnWindowFocus?: boolean;
  /** False: there is nothing to read yet. */
  isWanted?: boolean;
}

export function usePages<T>(options: PagesOptions<T>) {
  const { queryKey, load, read, isWanted = true, refetchInterval, refetchOnWindowFocus = true } = options;
  const queries = useQueryClient();
  const query = useInfiniteQuery<Page<T>, Error, Pages<T>, readonly unknown[], string | undefined>({
    queryKey,
    enabled: isWanted,
    initialPageParam: undefined,
    queryFn: ({ pageParam, signal }) =>
      load(pageParam === undefined ? {} : { cursor: pageParam, limit: LATER_LIMIT }, signal),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: (held) => (refetchInterval !== undefined && isReread(held) ? refetchInterval : false),
    refetchOnWindowFocus: (held) => refetchOnWindowFocus && isReread(held),
    refetchOnMount: isReread,
  });
  const pageCount = query.data?.pages.length ?? 0;
  useFollowed(isWanted ? read?.(pageCount > 1 ? LATER_LIMIT : undefined) : undefined, queryKey);
  const isLive = (refetchInterval ?? read) !== undefined;
  const pages = useUnhurried(JSON.stringify(queryKey), query.data?.pages);
  const items = useMemo(() => pages?.flatMap((page) => page.data), [pages]);
  return {
    ...query,
    items,
    isPending: query.isPending || (query.data !== undefined && items === undefined),
    searchedUntil: pages?.at(-1)?.searchedUntil ?? undefined,
    /** Set when the list was kept up to date as long as it was short: begins with its first page again. */
    beginAnew:
      isLive && !isReread({ state: query })
        ? () => {
            queries.setQueryData<Pages<T>>(queryKey, (old) => old && asReread(old));
            void query.refetch();
          }
        : undefined,
  };
}

/** Drawn bit by bit, so that what somebody does meanwhile is answered at once; but never what belongs to another list. */
function useUnhurried<T>(key: string, pages: Page<T>[] | undefined): Page<T>[] | undefined {
  const drawn = useDeferredValue(useMemo(() => ({ key, pages }), [key, pages]));
  return drawn.key === key && pages !== undefined ? drawn.pages : pages;
}

/** As much of a list as is read again unasked: all of it, or its first page where it has grown long. */
export function asReread<T>(list: Pages<T>): Pages<T> {
  if (isReread({ state: { data: list } })) return list;
  return { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) };
}
