// A list that the API hands out in pages, as one growing list.
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

export type Pages<T> = InfiniteData<Page<T>, string | undefined>;

export interface PagesOptions<T> {
  queryKey: readonly unknown[];
  load(cursor: { cursor?: string }, signal: AbortSignal): Promise<Page<T>>;
  refetchInterval?: number;
  /** False: there is nothing to read yet. */
  isWanted?: boolean;
}

export function usePages<T>({ queryKey, load, refetchInterval, isWanted = true }: PagesOptions<T>) {
  const query = useInfiniteQuery<Page<T>, Error, Pages<T>, readonly unknown[], string | undefined>({
    queryKey,
    enabled: isWanted,
    initialPageParam: undefined,
    queryFn: ({ pageParam, signal }) => load(pageParam === undefined ? {} : { cursor: pageParam }, signal),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
  return { ...query, items: query.data?.pages.flatMap((page) => page.data) };
}
