// Loads further pages of a list, for a reader that must not miss an item: a search, a name, or the consequences of a
// change.
import { useEffect } from 'react';

interface PagedRead {
  hasNextPage: boolean;
  isFetching: boolean;
  isError: boolean;
  fetchNextPage: () => unknown;
}

/** Loads the remaining pages, one after the other. `isWanted` is false while the first page is enough. */
export function useAllPages({ hasNextPage, isFetching, isError, fetchNextPage }: PagedRead, isWanted = true): void {
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isWanted, hasNextPage, isFetching, isError, fetchNextPage]);
}

interface LoadedRead<T> extends PagedRead {
  isSuccess: boolean;
  loaded: T[] | undefined;
}

/** Loads all pages. Returns undefined until the last one is loaded, so that no reader uses an incomplete list. */
export function useWholeList<T>(list: LoadedRead<T>): T[] | undefined {
  useAllPages(list);
  return list.isSuccess && !list.hasNextPage ? list.loaded : undefined;
}

type Id = string | null | undefined;

/** Loads pages until the items with these ids are found. Returns a function that finds a loaded item. */
export function useItems<T extends { id: string }>(list: LoadedRead<T>, ids: readonly Id[]): (id: Id) => T | undefined {
  const find = (wanted: Id): T | undefined => list.loaded?.find(({ id }) => id === wanted);
  useAllPages(
    list,
    ids.some((id) => typeof id === 'string' && !find(id)),
  );
  return find;
}
