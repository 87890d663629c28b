// Dense table of events. A click on a row opens its drawer; for the keyboard the type does.
import { Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { AppEvent, AppScope } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { RELATIVE_TIME_WIDTH, RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';
import type { NamedObject } from '../requests/filter-labels.ts';
import classes from '../requests/requests.module.css';
import { causeWithoutRequest } from '../traces/trace-labels.ts';
import { EventCause } from './event-cause.tsx';
import type { EventsSearch } from './search.ts';

interface EventTableProps {
  events: AppEvent[];
  scope: AppScope;
  search: EventsSearch;
  servers: NamedObject[];
}

export function EventTable({ events, scope, search, servers }: EventTableProps): ReactNode {
  const navigate = useNavigate();
  const { organisationId, appId } = scope;
  const names = JSON.stringify(servers.map(({ id, name }) => [id, name]));
  // Memoised: a live list would render each of its rows again with each new event.
  const { columns, onOpen } = useMemo(() => {
    const nameOf = new Map<string, string>(JSON.parse(names));
    const params = { organisationId, appId };
    const toEvent = (id: string) =>
      ({
        to: '/in/$organisationId/apps/$appId/events',
        params,
        search: { ...search, event: id },
        resetScroll: false,
      }) as const;
    const list: Column<AppEvent>[] = [
      {
        head: 'Event',
        isMain: true,
        cell: ({ id, type }) => (
          <Link {...toEvent(id)} className={classes.path ?? ''} onClick={(event) => event.stopPropagation()}>
            {type}
          </Link>
        ),
      },
      {
        head: 'Server',
        from: 'md',
        cell: ({ serverId }) => (
          <Text truncate title={serverId ?? ''}>
            {serverId === null ? '–' : (nameOf.get(serverId) ?? shorten(serverId))}
          </Text>
        ),
      },
      {
        head: 'Subject',
        w: 160,
        from: 'lg',
        cell: ({ subject }) => <CopyId value={subject} label="subject" shown={shorten(subject)} />,
      },
      {
        head: 'Caused by',
        w: 190,
        from: 'sm',
        // On a phone a second link would be too close to the first. The drawer has the link.
        fold: ({ requestId, actor }) => (requestId === null ? causeWithoutRequest(actor) : shorten(requestId)),
        cell: ({ requestId, actor }) => <EventCause scope={params} requestId={requestId} actor={actor} />,
      },
      { head: 'Time', w: RELATIVE_TIME_WIDTH, cell: ({ occurredAt }) => <RelativeTime at={occurredAt} /> },
      {
        head: 'Event id',
        w: 150,
        from: 'lg',
        cell: ({ id }) => <CopyId value={id} label="event id" shown={shorten(id)} />,
      },
    ];
    return { columns: list, onOpen: ({ id }: AppEvent) => void navigate(toEvent(id)) };
  }, [names, search, organisationId, appId, navigate]);
  return (
    <DataTable
      label="Events"
      isDense
      columns={columns}
      rows={events}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      isOpen={({ id }) => search.event === id}
    />
  );
}
