// The pages of an app as they change: the feed that what they read is followed by.
import { useDocumentVisibility } from '@mantine/hooks';
import { SlipwayProblem } from '@slipway/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import type { AppScope } from './api.ts';
import { createFeed } from './live-feed.ts';
import { queryKeys } from './query-keys.ts';
import { FeedContext } from './use-live.ts';

const isRefusal = (error: Error | null): boolean => error instanceof SlipwayProblem && error.status < 500;

export function LiveFeed({ scope, children }: { scope: AppScope; children: ReactNode }): ReactNode {
  const { organisationId, appId } = scope;
  const queries = useQueryClient();
  const isVisible = useDocumentVisibility() === 'visible';
  const feed = useMemo(() => {
    const itsScope = { organisationId, appId };
    // What was asked for in vain, because something was away for a moment, is not asked for again by a change.
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
