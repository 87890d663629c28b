// Reads the app of the address, and all apps of an organisation.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type App, type AppScope, api, type Role } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { usePages } from '../../kit/use-pages.ts';

export interface OneAppProps {
  scope: AppScope;
  role: Role | undefined;
  app: App;
}

export const APP_TONES = { active: 'good', suspended: 'warning', deleting: 'bad' } as const;

export function useApp(scope: AppScope) {
  return useQuery({
    queryKey: queryKeys.app(scope),
    queryFn: ({ signal }) => api.getApp(scope, { signal }),
    staleTime: 60_000,
  });
}

export function useApps(organisationId: string, isWanted = true) {
  return usePages<App>({
    queryKey: queryKeys.apps(organisationId),
    load: (cursor, signal) => api.listApps({ organisationId, limit: 50, ...cursor }, { signal }),
    isWanted,
  });
}

/** Returns a mutation of the app, which stores the changed app in the cache. */
export function useChangeApp<Wish = void>(scope: AppScope, change: (input: Wish) => Promise<App>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (app) => {
      queries.setQueryData(queryKeys.app(scope), app);
      return queries.invalidateQueries({ queryKey: queryKeys.apps(scope.organisationId) });
    },
  });
}
