// Shows one event: type, time, cause and payload in each schema version, its deliveries, and a form that sends it.
import { Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppScope, Trace } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyId } from '../../kit/copy.tsx';
import { type Fact, FactList } from '../../kit/fact-list.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { exactTime } from '../../kit/time.ts';
import { prettyPrinted } from '../../webhooks/webhooks/delivery-labels.ts';
import { RequestLink } from '../requests/request-link.tsx';
import { causeOf } from '../traces/trace-labels.ts';
import { TraceTimeline } from '../traces/trace-timeline.tsx';
import { useTrace } from '../traces/use-trace.ts';
import { SendEvent } from './send-event.tsx';

interface EventDetailProps {
  scope: AppScope;
  eventId: string;
}

export function EventDetail({ scope, eventId }: EventDetailProps): ReactNode {
  const { data, error, refetch } = useTrace(scope, eventId);
  const event = data?.events.find(({ id }) => id === eventId);
  if (!data || !event) {
    if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
    return <DetailSkeleton />;
  }
  const { type, occurredAt, subject } = event;
  const facts: Fact[] = [
    [
      'Happened',
      <span key="at">
        {exactTime(occurredAt)} (<RelativeTime at={occurredAt} />)
      </span>,
    ],
    ['Caused by', <Cause key="cause" scope={scope} trace={data} />],
    ['Event id', <CopyId key="id" value={event.id} label="event id" />],
    ['Subject', <CopyId key="subject" value={subject} label="subject" />],
    [
      'Type',
      <AnchorLink
        key="type"
        to="/in/$organisationId/apps/$appId/reference/$kind/$name"
        params={{ ...scope, kind: 'events', name: type }}
      >
        {type} in the reference
      </AnchorLink>,
    ],
  ];
  return (
    <Stack gap="lg">
      <Title order={2} fz={16} ff="monospace">
        {type}
      </Title>
      <SendEvent key={eventId} scope={scope} eventId={eventId} />
      <FactList facts={facts} />
      <Payloads payloads={data.payloads} />
      <TraceTimeline scope={scope} tracedId={eventId} />
    </Stack>
  );
}

function Cause({ scope, trace }: { scope: AppScope; trace: Trace }): ReactNode {
  const { requestId, request } = trace;
  // A request that is not in the inspector has no page.
  return requestId !== null && request ? <RequestLink scope={scope} requestId={requestId} /> : causeOf(trace);
}

function Payloads({ payloads }: Pick<Trace, 'payloads'>): ReactNode {
  const newest = payloads?.at(-1);
  if (!payloads || !newest)
    return (
      <Text c="dimmed">
        The payload is not shown: the event’s server does not authorise events:read or the scope of the event’s
        resource.
      </Text>
    );
  if (payloads.length === 1) return <Payload body={newest.body} />;
  return (
    <Tabs defaultValue={String(newest.schemaVersion)} keepMounted={false}>
      <Tabs.List aria-label="Schema version">
        {payloads.toReversed().map(({ schemaVersion }) => (
          <Tabs.Tab key={schemaVersion} value={String(schemaVersion)}>
            Version {schemaVersion}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {payloads.map(({ schemaVersion, body }) => (
        <Tabs.Panel key={schemaVersion} value={String(schemaVersion)} pt="xs">
          <Payload body={body} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Payload({ body }: { body: string }): ReactNode {
  return (
    <CodeBlock label="Payload" wraps maxHeight={360}>
      {prettyPrinted(body) ?? body}
    </CodeBlock>
  );
}

function DetailSkeleton(): ReactNode {
  return (
    <Stack gap="lg" aria-busy="true" aria-label="Loading" role="status">
      <Skeleton height={22} width="50%" />
      <Skeleton height={36} />
      <Skeleton height={130} radius="sm" />
      <Skeleton height={320} radius="sm" />
    </Stack>
  );
}
