// The events of an app: each change, its cause and its deliveries.
import { Stack } from '@mantine/core';
import { IconBolt, IconFilterOff, IconZoomScan } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type AppEvent, type AppScope, api } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { ButtonLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { ListSteps } from '../../kit/list-steps.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { SideDrawer } from '../../kit/side-drawer.tsx';
import { APP_ROUTE, useAppScope } from '../../kit/use-app-scope.ts';
import { toFeedName } from '../../kit/use-live-refresh.ts';
import { usePages } from '../../kit/use-pages.ts';
import { useSame } from '../../kit/use-same.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../../tenancy/apps/use-app.ts';
import { useInstallations } from '../../tenancy/installations/use-installations.ts';
import { EventDetail } from './event-detail.tsx';
import { EventFilters } from './event-filters.tsx';
import { EventTable } from './event-table.tsx';
import { type EventFilter, type EventsSearch, toEventFilter } from './search.ts';

const route = getRouteApi(`${APP_ROUTE}/events`);
const PAGE = 50;

export function EventsPage(): ReactNode {
  const scope = useAppScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useTitle('Events', useApp(scope).data?.name);
  const servers = (useInstallations(scope).items ?? []).map((one) => ({ id: one.serverId, name: one.serverName }));
  const { event, ...filters } = search;
  return (
    <Stack>
      <SectionHead title="Events">
        Every change that the app can receive, with its cause and its deliveries.
      </SectionHead>
      <EventFilters
        search={search}
        onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
      />
      <EventList
        key={JSON.stringify(filters)}
        scope={scope}
        search={search}
        servers={servers}
        onOpen={(next) => void navigate({ search: { ...filters, event: next }, resetScroll: false })}
      />
      <SideDrawer
        isOpen={event !== undefined}
        title="Event"
        hasSteps
        onClose={() => void navigate({ search: filters, resetScroll: false })}
      >
        {event !== undefined && <EventDetail key={event} scope={scope} eventId={event} />}
      </SideDrawer>
    </Stack>
  );
}

interface EventListProps {
  scope: AppScope;
  search: EventsSearch;
  servers: { id: string; name: string }[];
  onOpen: (eventId: string) => void;
}

function EventList({ scope, search, servers, onOpen }: EventListProps): ReactNode {
  const filter = useEventFilter(search);
  const events = usePages<AppEvent>({
    queryKey: [...queryKeys.events(scope), filter],
    load: (cursor, signal) => api.listAppEvents({ ...scope, ...filter, limit: PAGE, ...cursor }, { signal }),
    read: (limit = PAGE) => toFeedName('listAppEvents', { ...scope, ...filter, limit }),
  });
  const isEmpty = events.items?.length === 0;
  return (
    <>
      <ListSteps
        noun="event"
        rows={events.items}
        openId={search.event}
        describe={({ type, subject }) => `${type} of ${subject}`}
        onOpen={onOpen}
        onEnd={() => events.hasNextPage && void events.fetchNextPage()}
      />
      {events.error && <ProblemAlert error={events.error} onRetry={() => void events.refetch()} />}
      {events.isPending && <RowsSkeleton rows={10} height={14} />}
      {isEmpty && events.hasNextPage && (
        <EmptyList
          icon={<IconZoomScan aria-hidden />}
          title="None so far"
          action={<LoadMore {...events} label="Search further back" />}
        >
          Older events have not been searched yet.
        </EmptyList>
      )}
      {isEmpty && !events.hasNextPage && <NoEvents scope={scope} isFiltered={Object.keys(filter).length > 0} />}
      {events.items && !isEmpty && (
        <Panel>
          <EventTable events={events.items} scope={scope} search={search} servers={servers} />
          <LoadMore {...events} />
        </Panel>
      )}
    </>
  );
}

/**
 * Returns the same filter as long as the address has the same filters, because pages of a list belong to one filter.
 */
function useEventFilter({ event: _, ...filters }: EventsSearch): EventFilter {
  return useSame(filters, () => toEventFilter(filters, Date.now()));
}

function NoEvents({ scope, isFiltered }: { scope: AppScope; isFiltered: boolean }): ReactNode {
  if (isFiltered) {
    const clear = (
      <ButtonLink to="/in/$organisationId/apps/$appId/events" params={scope} search={{}} variant="default">
        Clear filters
      </ButtonLink>
    );
    return (
      <EmptyList icon={<IconFilterOff aria-hidden />} title="No event matches these filters" action={clear}>
        New events that match appear here.
      </EmptyList>
    );
  }
  const trigger = !IS_PRODUCTION && (
    <ButtonLink to="/in/$organisationId/apps/$appId/simulation" params={scope} variant="default">
      Trigger an event
    </ButtonLink>
  );
  return (
    <EmptyList icon={<IconBolt aria-hidden />} title="No events yet" action={trigger}>
      {IS_PRODUCTION
        ? 'The first event on a server that authorises the app appears here.'
        : 'The first change of the sandbox data appears here. You can also trigger an event.'}
    </EmptyList>
  );
}
