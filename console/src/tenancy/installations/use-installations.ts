// Reads the grants of each server, and changes them as the server's owner would.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api, type GrantState, type Installation, type Scope } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { toFeedName, useLiveRefresh } from '../../kit/use-live-refresh.ts';
import { type Pages, usePages } from '../../kit/use-pages.ts';

const LIMIT = 25;
const pagesKey = (scope: AppScope) => [...queryKeys.installations(scope), 'pages'];

export function useInstallations(scope: AppScope) {
  return usePages<Installation>({
    queryKey: pagesKey(scope),
    load: (cursor, signal) => api.listInstallations({ ...scope, limit: LIMIT, ...cursor }, { signal }),
  });
}

/** Follows the grants, so that the page shows the changes of other members and of servers. */
export function useLiveInstallations(scope: AppScope) {
  const servers = useInstallations(scope);
  const limit = (servers.data?.pages.length ?? 0) > 1 ? 100 : LIMIT;
  useLiveRefresh(toFeedName('listInstallations', { ...scope, limit }), pagesKey(scope));
  return servers;
}

export interface GrantChange {
  server: Installation;
  /** Undefined: the whole installation. */
  scope?: Scope | undefined;
  state: GrantState;
}

export function useChangeGrant(app: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ server: { serverId }, scope, state }: GrantChange) =>
      scope === undefined
        ? api.setInstallation({ ...app, serverId, body: { state } })
        : api.setInstallationScope({ ...app, serverId, scope, body: { state } }),
    onSuccess: (changed) => {
      queries.setQueryData<Pages<Installation>>(
        pagesKey(app),
        (old) =>
          old && { ...old, pages: old.pages.map((page) => ({ ...page, data: page.data.map(replacedBy(changed)) })) },
      );
      return queries.invalidateQueries({ queryKey: queryKeys.deliveries(app) });
    },
    // A conflict means that another member changed the grant, so the current state is read.
    onError: () => queries.invalidateQueries({ queryKey: queryKeys.installations(app) }),
  });
}

function replacedBy(changed: Installation) {
  return (one: Installation): Installation => (one.serverId === changed.serverId ? changed : one);
}
