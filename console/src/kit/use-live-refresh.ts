// Follows a read of an app and repeats it after a change.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import { type AppScope, api, type Operations } from './api.ts';
import { type Connection, type Feed, NO_FEED } from './live-feed.ts';

export const FeedContext = createContext<Feed>(NO_FEED);

/** Returns a read as the feed names it: its address below that of the app. */
export function toFeedName<K extends keyof Operations>(operation: K, input: Operations[K]['input'] & AppScope): string {
  return api.addressOf(operation, input).split(`/apps/${input.appId}/`)[1] ?? '';
}

/** To refresh a list, all its pages are read. A list with more pages is not refreshed automatically. */
const MAX_REFRESHED_PAGES = 3;
interface CachedQuery {
  state: { data: unknown };
}
export function isRefreshable({ state: { data } }: CachedQuery): boolean {
  const pages = typeof data === 'object' && data !== null && 'pages' in data ? data.pages : [];
  return !Array.isArray(pages) || pages.length <= MAX_REFRESHED_PAGES;
}

/** Repeats the cached read under the key when its result changes. */
export function useLiveRefresh(read: string | undefined, queryKey: readonly unknown[]): void {
  const feed = useContext(FeedContext);
  const queries = useQueryClient();
  const key = JSON.stringify(queryKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares the key by value
  useEffect(() => {
    if (read === undefined) return;
    return feed.follow(read, () => void refresh(queries, queryKey));
  }, [feed, queries, read, key]);
}

/** Repeats a read. Waits for a further page that is loading, because a repeated read would cancel the request of that page. */
async function refresh(queries: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  const query = queries.getQueryCache().find({ queryKey, exact: true });
  if (query?.state.fetchMeta?.fetchMore) await query.promise?.catch(() => {});
  await queries.invalidateQueries({ queryKey, exact: true, predicate: isRefreshable });
}

export function useConnection(): Connection & { retry: () => void } {
  const feed = useContext(FeedContext);
  const connection = useSyncExternalStore(feed.subscribe, feed.connection, feed.connection);
  return { ...connection, retry: feed.retry };
}
