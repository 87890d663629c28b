// One delivery: how far it has come and why, each attempt with what was answered, and the exact bytes that were sent.
import { DataList, Drawer, Group, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AppScope, api, type DeliveryDetail } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyId } from '../../kit/copy.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { exactTime } from '../../kit/time.ts';
import { When } from '../../kit/when.tsx';
import { TraceTimeline } from '../traces/trace-timeline.tsx';
import { Attempts } from './attempts.tsx';
import { causeWords, DELIVERY_TONES, prettyPrinted, reasonSentence } from './delivery-words.ts';

const POLL_MS = 2_000;

interface DeliveryDrawerProps {
  scope: AppScope;
  deliveryId: string | undefined;
  onClose: () => void;
}

export function DeliveryDrawer({ scope, deliveryId, onClose }: DeliveryDrawerProps): ReactNode {
  return (
    <Drawer opened={deliveryId !== undefined} onClose={onClose} position="right" size={640} title="Delivery">
      {deliveryId !== undefined && <DeliveryBody scope={scope} deliveryId={deliveryId} />}
    </Drawer>
  );
}

function DeliveryBody({ scope, deliveryId }: { scope: AppScope; deliveryId: string }): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.deliveries(scope), 'one', deliveryId],
    queryFn: ({ signal }) => api.getDelivery({ ...scope, deliveryId }, { signal }),
    refetchInterval: (query) => (query.state.data?.finishedAt ? false : POLL_MS),
  });
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={420} radius="sm" />;
  return (
    <Stack>
      <Group gap="sm">
        <Title order={2} fz={16} ff="monospace">
          {data.eventType ?? 'no longer kept'}
        </Title>
        <StateBadge tone={DELIVERY_TONES[data.status]}>{data.status}</StateBadge>
      </Group>
      {data.reason !== null && <Text>{reasonSentence(data.reason)}</Text>}
      <DeliveryFacts delivery={data} />
      <Attempts delivery={data} />
      <TraceTimeline scope={scope} tracedId={data.id} />
      {data.body === null ? (
        <Text c="dimmed">
          Its body is not shown: the event’s server keeps it from the app, or it is no longer kept.
        </Text>
      ) : (
        <SentBody body={data.body} />
      )}
    </Stack>
  );
}

function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }): ReactNode {
  const facts: [string, ReactNode][] = [
    ['Endpoint', delivery.endpointUrl ?? 'deleted'],
    ['Delivery id', <CopyId key="id" value={delivery.id} label="delivery id" />],
    ['Event id', <CopyId key="event" value={delivery.eventId} label="event id" />],
    ['Endpoint id', <CopyId key="endpoint" value={delivery.endpointId} label="endpoint id" />],
    ['Caused by', causeWords(delivery.trigger)],
    ['Created', exactTime(delivery.createdAt)],
    ['Finished', delivery.finishedAt && exactTime(delivery.finishedAt)],
    ['Next attempt', delivery.nextAttemptAt && <NextAttempt key="next" at={delivery.nextAttemptAt} />],
  ];
  return (
    <DataList labelWidth={110} gap={6}>
      {facts
        .filter(([, value]) => value !== null)
        .map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue miw={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </DataList.ItemValue>
          </DataList.Item>
        ))}
    </DataList>
  );
}

function NextAttempt({ at }: { at: string }): ReactNode {
  return (
    <>
      {exactTime(at)} (<When at={at} />)
    </>
  );
}

function SentBody({ body }: { body: string }): ReactNode {
  const pretty = prettyPrinted(body);
  return (
    <Tabs defaultValue={pretty === undefined ? 'raw' : 'pretty'} keepMounted={false}>
      <Tabs.List aria-label="The body that is sent">
        {pretty !== undefined && <Tabs.Tab value="pretty">Body</Tabs.Tab>}
        <Tabs.Tab value="raw">Exact bytes</Tabs.Tab>
      </Tabs.List>
      {pretty !== undefined && (
        <Tabs.Panel value="pretty" pt="xs">
          <CodeBlock label="Body, laid out for reading" wraps>
            {pretty}
          </CodeBlock>
        </Tabs.Panel>
      )}
      <Tabs.Panel value="raw" pt="xs">
        <CodeBlock label="The bytes that are sent and signed" wraps>
          {body}
        </CodeBlock>
      </Tabs.Panel>
    </Tabs>
  );
}
