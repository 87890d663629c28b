// Derives the progress of the first run from the app's real keys, calls, endpoints and deliveries. Refreshed on
// changes.
import { useQuery } from '@tanstack/react-query';
import { type AppScope, api, type Endpoint, type Key, type RequestRecord } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { useAllPages } from '../../kit/use-all-pages.ts';
import { toFeedName, useLiveRefresh } from '../../kit/use-live-refresh.ts';
import { useEndpoints } from '../../webhooks/webhooks/use-endpoints.ts';
import { useKeys } from '../keys/use-keys.ts';

export const STEPS = 5;
const SHOWN = 6;

export interface Progress {
  /** The loaded keys, newest first: at least up to the first active one. */
  keys: Key[];
  /** True if some keys are not loaded. */
  hasMoreKeys: boolean;
  endpoints: Endpoint[];
  requests: RequestRecord[];
  hasKey: boolean;
  hasCall: boolean;
  hasEndpoint: boolean;
  hasDelivery: boolean;
  doneCount: number;
}

export function useProgress(
  scope: AppScope,
): Progress & { isPending: boolean; error: Error | null; retry: () => void } {
  const keys = useKeys(scope);
  const endpoints = useEndpoints(scope);
  const latest = { ...scope, limit: SHOWN };
  const latestKey = [...queryKeys.requests(scope), 'latest'];
  useLiveRefresh(toFeedName('listRequests', latest), latestKey);
  const requests = useQuery({ queryKey: latestKey, queryFn: ({ signal }) => api.listRequests(latest, { signal }) });
  const first = { ...scope, status: 'succeeded', limit: 1 } as const;
  const firstKey = [...queryKeys.deliveries(scope), 'first-success'];
  useLiveRefresh(toFeedName('listDeliveries', first), firstKey);
  const deliveries = useQuery({ queryKey: firstKey, queryFn: ({ signal }) => api.listDeliveries(first, { signal }) });

  const queries = [keys, endpoints, requests, deliveries];
  const loaded = keys.loaded ?? [];
  const hasKey = loaded.some((key) => key.state === 'active');
  useAllPages(keys, !hasKey);
  const isSearching = !hasKey && keys.hasNextPage && !keys.isError;
  const hasCall = (requests.data?.data.length ?? 0) > 0;
  const hasEndpoint = (endpoints.items?.length ?? 0) > 0;
  // The newest deliveries report a success immediately. The health of an endpoint includes all deliveries before them.
  const hasDelivery =
    (deliveries.data?.data.length ?? 0) > 0 ||
    (endpoints.items?.some(({ health }) => health.lastSuccessAt !== null) ?? false);
  return {
    keys: loaded,
    hasMoreKeys: keys.hasNextPage,
    endpoints: endpoints.items ?? [],
    requests: requests.data?.data ?? [],
    hasKey,
    hasCall,
    hasEndpoint,
    hasDelivery,
    // One call completes two steps: the call, and its record in the inspector.
    doneCount: [hasKey, hasCall, hasCall, hasEndpoint, hasDelivery].filter(Boolean).length,
    isPending: isSearching || queries.some((query) => query.isPending && !query.error),
    // A refresh that fails must not hide the page.
    error: queries.find((query) => query.error && query.data === undefined)?.error ?? null,
    retry: () => {
      for (const query of queries) void query.refetch();
    },
  };
}
