// Reads a paged list as one growing list.
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { isRefreshable, useLiveRefresh } from './use-live-refresh.ts';

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
  /** Set if a search stopped early: the page has every match back to this time. */
  searchedUntil?: string | null;
}

export type Pages<T> = InfiniteData<Page<T>, string | undefined>;

/**
 * Milliseconds between two reads of a list of an organisation. The stream of changes follows reads of one app only. A
 * hidden page reads nothing.
 */
export const POLL_EVERY_MS = 5_000;

/** Size of each page after the first: the most that the API permits. */
const LATER_LIMIT = 100;
interface PagesOptions<T> {
  queryKey: readonly unknown[];
  /** Loads a page. The fields of `next` take precedence over the parameters of the first page. */
  load(next: { cursor?: string; limit?: number }, signal: AbortSignal): Promise<Page<T>>;
  refetchInterval?: number;
  /** Returns the read to follow, with the page size in use. It replaces an interval. */
  read?(limit: number | undefined): string;
  refetchOnWindowFocus?: boolean;
  /** False while there is nothing to read. */
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
    refetchInterval: (held) => (refetchInterval !== undefined && isRefreshable(held) ? refetchInterval : false),
    refetchOnWindowFocus: (held) => refetchOnWindowFocus && isRefreshable(held),
    refetchOnMount: isRefreshable,
  });
  const pageCount = query.data?.pages.length ?? 0;
  useLiveRefresh(isWanted ? read?.(pageCount > 1 ? LATER_LIMIT : undefined) : undefined, queryKey);
  const isLive = (refetchInterval ?? read) !== undefined;
  const pages = useDeferredPages(JSON.stringify(queryKey), query.data?.pages);
  const items = useMemo(() => pages?.flatMap((page) => page.data), [pages]);
  const loaded = useMemo(() => query.data?.pages.flatMap((page) => page.data), [query.data]);
  return {
    ...query,
    /** The items to draw. Drawing is deferred, so they can lack the last page when `hasNextPage` is already false. */
    items,
    /** The items of all loaded pages, for a search that must not miss one. */
    loaded,
    isPending: query.isPending || (query.data !== undefined && items === undefined),
    searchedUntil: pages?.at(-1)?.searchedUntil ?? undefined,
    /** Returns to the first page. Set if a live list has grown too long to be refreshed. */
    restart:
      isLive && !isRefreshable({ state: query })
        ? () => {
            queries.setQueryData<Pages<T>>(queryKey, (old) => old && toRefreshedPages(old));
            void query.refetch();
          }
        : undefined,
  };
}

/** Defers rendering of a long list, so that input stays responsive. Never returns pages of another list. */
function useDeferredPages<T>(key: string, pages: Page<T>[] | undefined): Page<T>[] | undefined {
  const drawn = useDeferredValue(useMemo(() => ({ key, pages }), [key, pages]));
  return drawn.key === key && pages !== undefined ? drawn.pages : pages;
}

/** Returns the part of a list that is refreshed automatically: all of it, or the first page of a long list. */
export function toRefreshedPages<T>(list: Pages<T>): Pages<T> {
  if (isRefreshable({ state: { data: list } })) return list;
  return { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) };
}
