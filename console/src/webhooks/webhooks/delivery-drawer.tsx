// Shows one delivery: status and reason, each attempt with its response, and the exact bytes that were sent.
import { Group, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { TraceTimeline } from '../../inspector/traces/trace-timeline.tsx';
import type { AppScope, DeliveryDetail } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyId } from '../../kit/copy.tsx';
import { type Fact, FactList } from '../../kit/fact-list.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { LiveStatus } from '../../kit/live-status.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { SideDrawer } from '../../kit/side-drawer.tsx';
import { exactTime } from '../../kit/time.ts';
import { Attempts } from './attempts.tsx';
import { describeCause, prettyPrinted, reasonSentence, sentHeaders } from './delivery-labels.ts';
import { DeliveryState } from './delivery-state.tsx';
import { ENDPOINT_PATH } from './endpoint-frame.tsx';
import { Redeliver } from './redeliver.tsx';
import { toDelivery } from './search.ts';
import { useDelivery } from './use-deliveries.ts';

interface DeliveryDrawerProps {
  scope: AppScope;
  deliveryId: string | undefined;
  onClose: () => void;
}

export function DeliveryDrawer({ scope, deliveryId, onClose }: DeliveryDrawerProps): ReactNode {
  return (
    <SideDrawer isOpen={deliveryId !== undefined} onClose={onClose} title="Delivery" hasSteps>
      {deliveryId !== undefined && <DeliveryBody key={deliveryId} scope={scope} deliveryId={deliveryId} />}
    </SideDrawer>
  );
}

interface DeliveryBodyProps {
  scope: AppScope;
  deliveryId: string;
}

function DeliveryBody({ scope, deliveryId }: DeliveryBodyProps): ReactNode {
  const { data, error, refetch } = useDelivery(scope, deliveryId);
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={420} radius="sm" />;
  return (
    <Stack>
      <Group justify="space-between" gap="sm" align="flex-start" wrap="nowrap">
        <Group gap="sm">
          <Title order={2} fz={16} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {data.eventType ?? 'no longer kept'}
          </Title>
          <DeliveryState delivery={data} />
        </Group>
        {/* A fixed width for all states, so that the neighbouring text does not wrap again. */}
        <Group miw={112} justify="flex-end">
          {data.finishedAt === null && <LiveStatus />}
        </Group>
      </Group>
      {data.reason !== null && <Text>{reasonSentence(data.reason)}</Text>}
      <Redeliver key={data.id} scope={scope} delivery={data} />
      <DeliveryFacts scope={scope} delivery={data} />
      <Attempts scope={scope} delivery={data} />
      <TraceTimeline scope={scope} tracedId={data.id} />
      {data.body === null ? (
        <Text c="dimmed">
          The body is not shown: the event’s server withholds it from the app, or it is no longer stored.
        </Text>
      ) : (
        <SentBody delivery={data} body={data.body} />
      )}
    </Stack>
  );
}

interface DeliveryFactsProps {
  scope: AppScope;
  delivery: DeliveryDetail;
}

function DeliveryFacts({ scope, delivery }: DeliveryFactsProps): ReactNode {
  const { endpointId, endpointUrl, redeliveryOf, redeliveredAs, finishedAt, nextAttemptAt } = delivery;
  const other = (deliveryId: string): ReactNode => <OtherDelivery key={deliveryId} deliveryId={deliveryId} />;
  const facts: Fact[] = [
    [
      'Endpoint',
      endpointUrl === null ? (
        'deleted'
      ) : (
        <AnchorLink key="endpoint" to={ENDPOINT_PATH} params={{ ...scope, endpointId }}>
          {endpointUrl}
        </AnchorLink>
      ),
    ],
    ['Delivery id', <CopyId key="id" value={delivery.id} label="delivery id" />],
    ['Event id', <CopyId key="event" value={delivery.eventId} label="event id" />],
    ['Endpoint id', <CopyId key="endpoint" value={endpointId} label="endpoint id" />],
    ['Caused by', describeCause(delivery)],
    ['Redelivery of', redeliveryOf && other(redeliveryOf)],
    ['Redelivered as', redeliveredAs && other(redeliveredAs)],
    ['Created', exactTime(delivery.createdAt)],
    ['Finished', finishedAt && exactTime(finishedAt)],
    ['Next attempt', nextAttemptAt && <NextAttempt key="next" at={nextAttemptAt} />],
  ];
  return <FactList facts={facts} />;
}

function OtherDelivery({ deliveryId }: { deliveryId: string }): ReactNode {
  return (
    <AnchorLink {...toDelivery(deliveryId)} ff="monospace" fz={12.5}>
      {deliveryId}
    </AnchorLink>
  );
}

function NextAttempt({ at }: { at: string }): ReactNode {
  return (
    <>
      {exactTime(at)} (<RelativeTime at={at} />)
    </>
  );
}

function SentBody({ delivery, body }: { delivery: DeliveryDetail; body: string }): ReactNode {
  const pretty = prettyPrinted(body);
  return (
    <Tabs defaultValue={pretty === undefined ? 'raw' : 'pretty'} keepMounted={false}>
      <Tabs.List aria-label="Content">
        {pretty !== undefined && <Tabs.Tab value="pretty">Body</Tabs.Tab>}
        <Tabs.Tab value="raw">Exact bytes</Tabs.Tab>
        <Tabs.Tab value="headers">Headers</Tabs.Tab>
      </Tabs.List>
      {pretty !== undefined && (
        <Tabs.Panel value="pretty" pt="xs">
          <CodeBlock label="Body, formatted" wraps>
            {pretty}
          </CodeBlock>
        </Tabs.Panel>
      )}
      <Tabs.Panel value="raw" pt="xs">
        <CodeBlock label="Bytes that are sent and signed" wraps>
          {body}
        </CodeBlock>
      </Tabs.Panel>
      <Tabs.Panel value="headers" pt="xs">
        <CodeBlock label="Sent with each attempt" wraps>
          {sentHeaders(delivery)}
        </CodeBlock>
        <Text c="dimmed" fz="xs" mt={6}>
          Each attempt also has its own webhook-timestamp, webhook-signature and slipway-attempt, and the headers of the
          endpoint’s settings.
        </Text>
      </Tabs.Panel>
    </Tabs>
  );
}
