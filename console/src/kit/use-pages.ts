// A list that the API hands out in pages, as one growing list.
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
  /** Of a search that stops before it is full: all that fits back to this moment is there. */
  searchedUntil?: string | null;
}

export type Pages<T> = InfiniteData<Page<T>, string | undefined>;

/** Beyond the first page as much as the API gives. */
const LATER_LIMIT = 100;
/** To look at a list again is to read all of its pages: with more than these nobody does it unasked. */
const MOST_REREAD = 3;

export interface PagesOptions<T> {
  queryKey: readonly unknown[];
  /** `next` goes before what the first page is asked with. */
  load(next: { cursor?: string; limit?: number }, signal: AbortSignal): Promise<Page<T>>;
  refetchInterval?: number;
  refetchOnWindowFocus?: boolean;
  /** False: there is nothing to read yet. */
  isWanted?: boolean;
}

interface Held {
  state: { data: { pages: unknown[] } | undefined };
}
const isReread = ({ state }: Held): boolean => (state.data?.pages.length ?? 0) <= MOST_REREAD;

export function usePages<T>(options: PagesOptions<T>) {
  const { queryKey, load, isWanted = true, refetchInterval, refetchOnWindowFocus = true } = options;
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
  const { pages } = query.data ?? {};
  const items = useMemo(() => pages?.flatMap((page) => page.data), [pages]);
  return {
    ...query,
    items,
    searchedUntil: pages?.at(-1)?.searchedUntil ?? undefined,
    /** Set when the list was kept up to date as long as it was short: begins with its first page again. */
    beginAnew:
      refetchInterval !== undefined && (pages?.length ?? 0) > MOST_REREAD
        ? () => {
            queries.setQueryData<Pages<T>>(queryKey, (old) => old && firstOf(old));
            void query.refetch();
          }
        : undefined,
  };
}

export const firstOf = <T>({ pages, pageParams }: Pages<T>): Pages<T> => ({
  pages: pages.slice(0, 1),
  pageParams: pageParams.slice(0, 1),
});
