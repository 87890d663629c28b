// Timeline of a trace: request, events, deliveries and attempts, each as a link.
import { Group, Skeleton, Stack, Text, Timeline, Title } from '@mantine/core';
import { IconArrowRight, IconBolt, IconCheck, IconSend, IconX, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppScope, Trace } from '../../kit/api.ts';
import { TIME_HINT } from '../../kit/hints.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { isGood } from '../../webhooks/webhooks/delivery-labels.ts';
import { causeSentence, formatOffset, type Step, stepsOf } from './trace-labels.ts';
import { StepBody, StepTitle } from './trace-step.tsx';
import { useTrace } from './use-trace.ts';

interface TraceTimelineProps {
  scope: AppScope;
  /** A request, an event or a delivery. Each leads to the same trace. */
  tracedId: string;
}

export function TraceTimeline({ scope, tracedId }: TraceTimelineProps): ReactNode {
  const { data, error, refetch } = useTrace(scope, tracedId);
  return (
    <Stack gap="sm" component="section" aria-label="Trace">
      <Title order={3} fz={14.5}>
        Trace
      </Title>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton height={96} radius="sm" />}
      {data && <Steps scope={scope} trace={data} tracedId={tracedId} />}
    </Stack>
  );
}

function Steps({ scope, trace, tracedId }: { scope: AppScope; trace: Trace; tracedId: string }): ReactNode {
  // The page of a delivery lists its own attempts in more detail.
  const steps = stepsOf(trace).filter((step) => step.kind !== 'attempt' || step.deliveryId !== tracedId);
  return (
    <>
      {!trace.request && <Text c="dimmed">{causeSentence(trace)}</Text>}
      <Timeline bulletSize={22} lineWidth={2} active={steps.length - 1}>
        {steps.map((step) => {
          const { Icon, color } = stepIcon(step);
          return (
            <Timeline.Item
              key={step.key}
              mt="sm"
              color={color}
              bullet={<Icon size={13} aria-hidden />}
              title={
                <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
                  <StepTitle scope={scope} step={step} isHere={step.key === tracedId} />
                  <Offset step={step} />
                </Group>
              }
            >
              <StepBody step={step} />
            </Timeline.Item>
          );
        })}
      </Timeline>
      {trace.events.length === 0 && <Text c="dimmed">The request caused no event.</Text>}
      {trace.isTruncated && <Text c="dimmed">The trace has more steps than are shown here.</Text>}
    </>
  );
}

function Offset({ step: { at, offsetMs } }: { step: Step }): ReactNode {
  return (
    <Text
      component="time"
      dateTime={at}
      c="dimmed"
      fz="xs"
      ff="monospace"
      style={{ whiteSpace: 'nowrap' }}
      {...TIME_HINT}
    >
      {formatOffset(offsetMs)}
    </Text>
  );
}

// Shades with enough contrast to the white icon in both themes.
const GOOD = 'teal.9';
const BAD = 'red.8';
const NEUTRAL = 'tide.8';

function stepIcon(step: Step): { Icon: TablerIcon; color: string } {
  switch (step.kind) {
    case 'request':
      return { Icon: IconArrowRight, color: (step.request.status ?? 500) < 400 ? GOOD : BAD };
    case 'event':
      return { Icon: IconBolt, color: NEUTRAL };
    case 'delivery':
      return { Icon: IconSend, color: NEUTRAL };
    case 'attempt':
      return isGood(step.attempt) ? { Icon: IconCheck, color: GOOD } : { Icon: IconX, color: BAD };
  }
}
