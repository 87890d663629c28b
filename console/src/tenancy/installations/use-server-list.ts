// The servers as options of a list. The first page is loaded with the page, and the others when the list opens.
import { useState } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { useAllPages } from '../../kit/use-all-pages.ts';
import { useInstallations } from './use-installations.ts';

export function useServerList(scope: AppScope) {
  const servers = useInstallations(scope);
  const [wasOpened, setOpened] = useState(false);
  useAllPages(servers, wasOpened);
  const { hasNextPage, isError } = servers;
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
