// Texts of an empty list: no requests yet, none that match, or none found so far.
import { IconFilterOff, IconRadar, IconZoomScan } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { ButtonLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore } from '../../kit/list-states.tsx';
import { exactTime } from '../../kit/time.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { hasFilters, mayBeLive, type RequestsSearch, withoutFilters } from './search.ts';

interface NoneSoFarProps extends ComponentProps<typeof LoadMore> {
  searchedUntil: string | undefined;
}

/** Renders the empty list of a search that stopped at its limit: older records can still match. */
export function NoneSoFar({ searchedUntil, ...list }: NoneSoFarProps): ReactNode {
  return (
    <EmptyList
      icon={<IconZoomScan aria-hidden />}
      title={searchedUntil === undefined ? 'None so far' : `None back to ${exactTime(searchedUntil)}`}
      action={<LoadMore {...list} label="Search further back" />}
    >
      The app has many requests, and older ones have not been searched yet.
    </EmptyList>
  );
}

export function NoRequests({ search }: { search: RequestsSearch }): ReactNode {
  const scope = useAppScope();
  if (hasFilters(search)) {
    const clear = (
      <ButtonLink
        to="/in/$organisationId/apps/$appId/requests"
        params={scope}
        search={withoutFilters(search)}
        variant="default"
      >
        Clear filters
      </ButtonLink>
    );
    return (
      <EmptyList icon={<IconFilterOff aria-hidden />} title="No request matches these filters" action={clear}>
        {mayBeLive(search)
          ? 'New requests that match appear here while the list is live.'
          : 'All requests were searched.'}
      </EmptyList>
    );
  }
  const guide = (
    <ButtonLink to="/in/$organisationId/apps/$appId/overview" params={scope}>
      Make the first call
    </ButtonLink>
  );
  return (
    <EmptyList icon={<IconRadar aria-hidden />} title="No requests yet" action={guide}>
      The first call appears here immediately, even if it is refused.
    </EmptyList>
  );
}
