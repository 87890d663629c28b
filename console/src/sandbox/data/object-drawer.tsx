// Shows one object of the sandbox data: its resource, the call that returns it, its events with their causes, and
// triggers.
import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { EventCause } from '../../inspector/events/event-cause.tsx';
import { causeWithoutRequest } from '../../inspector/traces/trace-labels.ts';
import type { AppEvent, AppScope, WorldObject } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyIcon, CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { type Fact, FactList } from '../../kit/fact-list.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RELATIVE_TIME_WIDTH, RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';
import { Tag } from '../../kit/state-badge.tsx';
import { exactTime } from '../../kit/time.ts';
import { KINDS } from './kinds.ts';
import { ObjectActions } from './object-actions.tsx';
import { toDataSearch } from './search.ts';
import { eventFilterOf, useObject, useObjectEvents } from './use-objects.ts';

const APP = '/in/$organisationId/apps/$appId';

interface ObjectDetailProps {
  scope: AppScope;
  objectId: string;
  serverName: (serverId: string) => string;
  onOpen: (objectId: string) => void;
}

export function ObjectDetail({ scope, objectId, serverName, onOpen }: ObjectDetailProps): ReactNode {
  const { data, error, refetch } = useObject(scope, objectId);
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <DetailSkeleton />;
  const { id, kind, serverId, status, title, createdAt, path, operationId } = data;
  const facts: Fact[] = [
    ['Identifier', <CopyId key="id" value={id} label="object id" />],
    [
      'Server',
      kind !== 'server' && (
        <AnchorLink
          key="server"
          to={`${APP}/data`}
          params={scope}
          search={toDataSearch({ object: serverId })}
          resetScroll={false}
        >
          {serverName(serverId)}
        </AnchorLink>
      ),
    ],
    ['Created', exactTime(createdAt)],
    [
      'Returned by',
      <Group key="call" gap={2} wrap="nowrap">
        <AnchorLink
          to={`${APP}/reference/$kind/$name`}
          params={{ ...scope, kind: 'operations', name: operationId }}
          ff="monospace"
          fz={12.5}
          title={`GET ${path}`}
        >
          GET {shorten(path)}
        </AnchorLink>
        <CopyIcon value={path} label="path" />
      </Group>,
    ],
  ];
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <Title order={2} fz={16} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {status !== null && <Tag>{status.replaceAll('_', ' ')}</Tag>}
      </Group>
      <ObjectActions scope={scope} object={data} onDone={onOpen} />
      <FactList facts={facts} />
      <CodeBlock label={`The ${KINDS[kind].one} as /v1 returns it`} wraps maxHeight={360}>
        {JSON.stringify(data.resource, null, 2)}
      </CodeBlock>
      {kind !== 'workflow' && <ObjectEvents scope={scope} object={data} />}
    </Stack>
  );
}

function ObjectEvents({ scope, object }: { scope: AppScope; object: WorldObject }): ReactNode {
  const events = useObjectEvents(scope, object);
  const { serverId, subject } = { serverId: undefined, subject: undefined, ...eventFilterOf(object) };
  const all = { ...(serverId !== undefined && { server: serverId }), ...(subject !== undefined && { subject }) };
  const columns: Column<AppEvent>[] = [
    {
      head: 'Event',
      isMain: true,
      cell: ({ id, type }) => (
        <AnchorLink to={`${APP}/events`} params={scope} search={{ ...all, event: id }} ff="monospace" fz={13}>
          {type}
        </AnchorLink>
      ),
    },
    {
      head: 'Caused by',
      from: 'sm',
      // On a phone a second link would be too close to the first. The event has the link.
      fold: ({ requestId, actor }) => (requestId === null ? causeWithoutRequest(actor) : shorten(requestId)),
      cell: ({ requestId, actor }) => <EventCause scope={scope} requestId={requestId} actor={actor} />,
    },
    { head: 'Time', w: RELATIVE_TIME_WIDTH, cell: ({ occurredAt }) => <RelativeTime at={occurredAt} /> },
  ];
  return (
    <Stack gap="sm" component="section" aria-label="Events">
      <Group justify="space-between">
        <Title order={3} fz={14.5}>
          {object.kind === 'server' ? 'Events on this server' : 'Events'}
        </Title>
        {(events.items?.length ?? 0) > 0 && (
          <AnchorLink to={`${APP}/events`} params={scope} search={all}>
            All events
          </AnchorLink>
        )}
      </Group>
      {events.error && <ProblemAlert error={events.error} onRetry={() => void events.refetch()} />}
      {events.isPending && <Skeleton height={96} radius="sm" />}
      {events.items?.length === 0 && (
        <Text c="dimmed">
          No events: the object has not changed since the sandbox data was created, or its events are past their
          retention.
        </Text>
      )}
      {events.items && events.items.length > 0 && (
        <Panel>
          <DataTable label="Events" isDense columns={columns} rows={events.items} rowKey={({ id }) => id} />
        </Panel>
      )}
    </Stack>
  );
}

function DetailSkeleton(): ReactNode {
  return (
    <Stack gap="lg" aria-busy="true" aria-label="Loading" role="status">
      <Skeleton height={22} width="60%" />
      <Skeleton height={30} width={110} />
      <Skeleton height={110} radius="sm" />
      <Skeleton height={320} radius="sm" />
    </Stack>
  );
}
