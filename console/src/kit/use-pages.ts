// A list that the API hands out in pages, as one growing list.
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
  /** Of a search that stops before it is full: all that fits back to this moment is there. */
  searchedUntil?: string | null;
}

export type Pages<T> = InfiniteData<Page<T>, string | undefined>;

export interface PagesOptions<T> {
  queryKey: readonly unknown[];
  load(cursor: { cursor?: string }, signal: AbortSignal): Promise<Page<T>>;
  refetchInterval?: number;
  refetchOnWindowFocus?: boolean;
  /** False: there is nothing to read yet. */
  isWanted?: boolean;
}

export function usePages<T>({ queryKey, load, isWanted = true, ...refetching }: PagesOptions<T>) {
  const query = useInfiniteQuery<Page<T>, Error, Pages<T>, readonly unknown[], string | undefined>({
    queryKey,
    enabled: isWanted,
    initialPageParam: undefined,
    queryFn: ({ pageParam, signal }) => load(pageParam === undefined ? {} : { cursor: pageParam }, signal),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    ...refetching,
  });
  const { pages } = query.data ?? {};
  return {
    ...query,
    items: pages?.flatMap((page) => page.data),
    searchedUntil: pages?.at(-1)?.searchedUntil ?? undefined,
  };
}
