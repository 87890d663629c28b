// One step of a trace: a link to its object, and its result.
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { formatMs } from '../../kit/time.ts';
import { DELIVERY_TONES, describeOutcome, reasonSentence } from '../../webhooks/webhooks/delivery-labels.ts';
import { useEndpoints } from '../../webhooks/webhooks/use-endpoints.ts';
import { StatusText } from '../requests/status-text.tsx';
import type { Step } from './trace-labels.ts';

const APP = '/in/$organisationId/apps/$appId';
const title = { fw: 550, lh: 1.4, style: { overflowWrap: 'anywhere' } } as const;

interface StepTitleProps {
  scope: AppScope;
  step: Step;
  /** True if the page shows this object, so that the step is not a link. */
  isHere: boolean;
}

export function StepTitle({ scope, step, isHere }: StepTitleProps): ReactNode {
  if (isHere) {
    return (
      <Text {...title} aria-current="true">
        This {step.kind}
        {step.kind === 'event' && `, ${step.event.type}`}
      </Text>
    );
  }
  switch (step.kind) {
    case 'request':
      return (
        <AnchorLink to={`${APP}/requests`} params={scope} search={{ request: step.request.id }} {...title}>
          {describeRequest(step)}
        </AnchorLink>
      );
    case 'event':
      return (
        <AnchorLink to={`${APP}/events`} params={scope} search={{ event: step.event.id }} {...title}>
          {step.event.type}
        </AnchorLink>
      );
    case 'delivery':
      return (
        <AnchorLink to={`${APP}/webhooks`} params={scope} search={{ delivery: step.delivery.id }} {...title}>
          <DeliveryTitle scope={scope} step={step} />
        </AnchorLink>
      );
    case 'attempt':
      return (
        <AnchorLink to={`${APP}/webhooks`} params={scope} search={{ delivery: step.deliveryId }} {...title}>
          {`Attempt ${step.attempt.number}: ${describeOutcome(step.attempt)}`}
        </AnchorLink>
      );
  }
}

type OfKind<K extends Step['kind']> = Extract<Step, { kind: K }>;

const describeRequest = ({ request }: OfKind<'request'>): string => `${request.method} ${shorten(request.path)}`;

function DeliveryTitle({ scope, step }: { scope: AppScope; step: OfKind<'delivery'> }): ReactNode {
  const { endpointId, redeliveryOf } = step.delivery;
  const endpoint = useEndpoints(scope).items?.find(({ id }) => id === endpointId);
  return `${redeliveryOf === null ? 'Delivery' : 'Redelivery'} to ${endpoint?.url ?? shorten(endpointId)}`;
}

export function StepBody({ step }: { step: Step }): ReactNode {
  switch (step.kind) {
    case 'request':
      return (
        <Group gap="xs">
          <StatusText status={step.request.status} />
          <Text c="dimmed">took {formatMs(step.request.durationMs)}</Text>
        </Group>
      );
    case 'event':
      return (
        <Group gap="xs" c="dimmed">
          <CopyId value={step.event.id} label="event id" shown={shorten(step.event.id)} />
          <CopyId value={step.event.subject} label="subject" shown={`of ${shorten(step.event.subject)}`} />
        </Group>
      );
    case 'delivery':
      return <DeliveryBody step={step} />;
    case 'attempt':
      return <Text c="dimmed">took {formatMs(step.attempt.durationMs)}</Text>;
  }
}

function DeliveryBody({ step: { delivery } }: { step: OfKind<'delivery'> }): ReactNode {
  const { status, reason } = delivery;
  return (
    <Group gap="xs" mt={4}>
      <StateBadge tone={DELIVERY_TONES[status]}>{status}</StateBadge>
      {reason !== null && <Text c="dimmed">{reasonSentence(reason)}</Text>}
    </Group>
  );
}
