// Whoever reads something of an app says so here, and it is read again once it has changed.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import { type AppScope, api, type Operations } from './api.ts';
import { type Connection, type Feed, NO_FEED } from './live-feed.ts';

export const FeedContext = createContext<Feed>(NO_FEED);

/** A read of an app, as the feed calls it: its address below that of the app. */
export function readOf<K extends keyof Operations>(operation: K, input: Operations[K]['input'] & AppScope): string {
  return api.addressOf(operation, input).split(`/apps/${input.appId}/`)[1] ?? '';
}

/** To look at a list again is to read all of its pages: with more than these nobody does it unasked. */
const MOST_REREAD = 3;
interface Held {
  state: { data: unknown };
}
export function isReread({ state: { data } }: Held): boolean {
  const pages = typeof data === 'object' && data !== null && 'pages' in data ? data.pages : [];
  return !Array.isArray(pages) || pages.length <= MOST_REREAD;
}

/** What is kept under the key is read again when the read, where there is one, is answered differently. */
export function useFollowed(read: string | undefined, queryKey: readonly unknown[]): void {
  const feed = useContext(FeedContext);
  const queries = useQueryClient();
  const key = JSON.stringify(queryKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key by what it says
  useEffect(() => {
    if (read === undefined) return;
    return feed.follow(read, () => void queries.invalidateQueries({ queryKey, exact: true, predicate: isReread }));
  }, [feed, queries, read, key]);
}

export function useConnection(): Connection & { retry: () => void } {
  const feed = useContext(FeedContext);
  const connection = useSyncExternalStore(feed.subscribe, feed.connection, feed.connection);
  return { ...connection, retry: feed.retry };
}
