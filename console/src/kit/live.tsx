// Provides the feed that keeps the pages of an app up to date.
import { useDocumentVisibility } from '@mantine/hooks';
import { SlipwayProblem } from '@slipway/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import type { AppScope } from './api.ts';
import { createFeed } from './live-feed.ts';
import { queryKeys } from './query-keys.ts';
import { FeedContext } from './use-live-refresh.ts';

const isRefusal = (error: Error | null): boolean => error instanceof SlipwayProblem && error.status < 500;

export function LiveFeed({ scope, children }: { scope: AppScope; children: ReactNode }): ReactNode {
  const { organisationId, appId } = scope;
  const queries = useQueryClient();
  const isVisible = useDocumentVisibility() === 'visible';
  const feed = useMemo(() => {
    const itsScope = { organisationId, appId };
    // Reads that failed while the server was unreachable. A change would not repeat them.
    const again = {
      queryKey: queryKeys.everythingOf(itsScope),
      type: 'active',
      predicate: ({ state: { error } }: { state: { error: Error | null } }) => error !== null && !isRefusal(error),
    } as const;
    return createFeed(itsScope, () => void queries.refetchQueries(again));
  }, [organisationId, appId, queries]);
  useEffect(() => {
    feed.show(isVisible);
    return () => feed.show(false);
  }, [feed, isVisible]);
  return <FeedContext value={feed}>{children}</FeedContext>;
}
