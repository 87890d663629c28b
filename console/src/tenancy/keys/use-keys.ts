// Reads the app's keys. Creating or revoking a key invalidates the reads that depend on it.
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api, type Key, type Operations, type Scope } from '../../kit/api.ts';
import { forgetFreshKey, rememberFreshKey } from '../../kit/fresh-keys.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { toFeedName, useLiveRefresh } from '../../kit/use-live-refresh.ts';
import { usePages } from '../../kit/use-pages.ts';

const LIMIT = 100;

export function useKeys(scope: AppScope, isWanted = true) {
  return usePages<Key>({
    queryKey: queryKeys.keys(scope),
    load: (cursor, signal) => api.listKeys({ ...scope, limit: LIMIT, ...cursor }, { signal }),
    isWanted,
  });
}

/** Follows the keys, so that the page shows the changes of other members. */
export function useLiveKeys(scope: AppScope) {
  useLiveRefresh(toFeedName('listKeys', { ...scope, limit: LIMIT }), queryKeys.keys(scope));
  return useKeys(scope);
}

interface NewKeyInput {
  name: string;
  scopes: Scope[];
  expiresInDays: number;
  allowedCidrs?: string[];
}

export function useCreateKey(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewKeyInput) => api.createKey({ ...scope, body }),
    gcTime: 0, // the response contains the secret, so it is not cached
    onSuccess: (created) => {
      rememberFreshKey(scope.appId, created);
      return queries.invalidateQueries({ queryKey: queryKeys.keys(scope) });
    },
  });
}

type KeyMutationInput<Name extends 'rotateKey' | 'updateKey'> = Omit<Operations[Name]['input'], keyof AppScope>;

export function useChangeKey(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: KeyMutationInput<'updateKey'>) => api.updateKey({ ...scope, ...input }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.keys(scope) }),
  });
}

export function useRotateKey(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: KeyMutationInput<'rotateKey'>) => api.rotateKey({ ...scope, ...input }),
    gcTime: 0, // the response contains the secret, so it is not cached
    onSuccess: (rotated) => {
      if (rotated.predecessor.state !== 'active') forgetFreshKey(rotated.predecessor.id);
      rememberFreshKey(scope.appId, rotated);
      return forgetOfKeys(queries, scope);
    },
  });
}

export function useRevokeKey(scope: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (keyId: string) => api.revokeKey({ ...scope, keyId }),
    onSuccess: (key) => {
      forgetFreshKey(key.id);
      return forgetOfKeys(queries, scope);
    },
  });
}

/** Invalidates keys, and the endpoints and deliveries that depend on them. */
function forgetOfKeys(queries: QueryClient, scope: AppScope): Promise<unknown> {
  return Promise.all(
    [queryKeys.keys(scope), queryKeys.endpoints(scope), queryKeys.deliveries(scope)].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
}
