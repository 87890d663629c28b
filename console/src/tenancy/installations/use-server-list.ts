// The servers as options of a list. The first page is loaded with the page, and the others when the list opens.
import { useEffect, useState } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { useInstallations } from './use-installations.ts';

export function useServerList(scope: AppScope) {
  const servers = useInstallations(scope);
  const [wasOpened, setOpened] = useState(false);
  const { hasNextPage, isFetching, isError, fetchNextPage } = servers;
  useEffect(() => {
    if (wasOpened && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [wasOpened, hasNextPage, isFetching, isError, fetchNextPage]);
  return {
    servers: servers.items ?? [],
    error: servers.error,
    /** Properties of the select. */
    list: {
      searchable: true,
      onDropdownOpen: () => setOpened(true),
      nothingFoundMessage: hasNextPage && !isError ? 'Loading the servers…' : 'No server found',
    },
  };
}
