// Shows one event: type, time, actor and payload, and its deliveries.
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppScope, Trace } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyId } from '../../kit/copy.tsx';
import { type Fact, FactList } from '../../kit/fact-list.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { exactTime } from '../../kit/time.ts';
import { prettyPrinted } from '../../webhooks/webhooks/delivery-labels.ts';
import { causeOf } from './trace-labels.ts';
import { TraceTimeline } from './trace-timeline.tsx';
import { useTrace } from './use-trace.ts';

export function EventDetail({ scope, eventId }: { scope: AppScope; eventId: string }): ReactNode {
  const { data, error, refetch } = useTrace(scope, eventId);
  const event = data?.events.find(({ id }) => id === eventId);
  if (!data || !event) {
    if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
    return <Skeleton height={180} radius="sm" role="status" aria-busy="true" aria-label="Loading" />;
  }
  const facts: Fact[] = [
    ['Happened', exactTime(event.occurredAt)],
    ['Caused by', event.actor ?? causeOf(data)],
    ['Event id', <CopyId key="id" value={event.id} label="event id" />],
    ['Subject', <CopyId key="subject" value={event.subject} label="subject" />],
  ];
  return (
    <Stack gap="lg">
      <Title order={2} fz={16} ff="monospace">
        {event.type}
      </Title>
      <FactList facts={facts} />
      <Payload trace={data} />
      <TraceTimeline scope={scope} tracedId={eventId} />
    </Stack>
  );
}

function Payload({ trace: { payload } }: { trace: Trace }): ReactNode {
  if (payload === null)
    return <Text c="dimmed">The payload is not shown: the event’s server does not permit the app to read events.</Text>;
  return (
    <CodeBlock label="Payload" wraps maxHeight={360}>
      {prettyPrinted(payload) ?? payload}
    </CodeBlock>
  );
}
