// Loads every page of a list, for a reader that must not miss an item: a search, or the consequences of a change.
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
