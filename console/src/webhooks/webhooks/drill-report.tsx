// Report of one drill, also while it runs: each step with verdict and advice, and its messages and responses.
import { Accordion, Box, Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DrillDetail, DrillRequest, DrillStep } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyId } from '../../kit/copy.tsx';
import { Fold } from '../../kit/fold.tsx';
import { Inline } from '../../kit/inline.tsx';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { counted } from '../../kit/number.ts';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { formatMs } from '../../kit/time.ts';
import { describeOutcome, reasonSentence } from './delivery-labels.ts';
import { DRILL_TONES, EXPECTATIONS, STEP_TITLES, stepResultLabelOf, summariseDrill } from './drill-labels.ts';
import type { EndpointContext } from './endpoint-frame.tsx';
import { useDrill } from './use-drills.ts';

interface DrillReportProps extends Omit<EndpointContext, 'role'> {
  drillId: string;
}

export function DrillReport({ scope, endpoint, drillId }: DrillReportProps): ReactNode {
  const { data, error, refetch } = useDrill(scope, endpoint.id, drillId);
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <RowsSkeleton rows={12} />;
  return (
    <Panel role="region" aria-label="Report">
      <ReportHead drill={data} />
      <Steps drill={data} />
    </Panel>
  );
}

/** The steps in their order. Once a drill has ended, its passed steps are folded below the others. */
function Steps({ drill: { steps, status } }: { drill: DrillDetail }): ReactNode {
  const passed = status === 'running' ? [] : steps.filter(({ verdict }) => verdict === 'passed');
  return (
    <>
      <StepList steps={steps.filter((step) => !passed.includes(step))} />
      {passed.length > 0 && (
        <Box px="md" pb="sm">
          <Fold summary={counted(passed.length, 'passed step')}>
            <StepList steps={passed} />
          </Fold>
        </Box>
      )}
    </>
  );
}

const StepList = ({ steps }: { steps: readonly DrillStep[] }): ReactNode => (
  <Accordion chevronPosition="left" order={3} multiple>
    {steps.map((step) => (
      <Step key={step.name} step={step} />
    ))}
  </Accordion>
);

function ReportHead({ drill }: { drill: DrillDetail }): ReactNode {
  const { progress, status, reason } = drill;
  return (
    <Stack gap="xs" p="md">
      <Group justify="space-between" gap="xs">
        <Group gap="xs" role="status">
          <StateBadge tone={DRILL_TONES[status]}>{status}</StateBadge>
          <Text fw={550}>
            {progress.done} of {progress.total} steps: {summariseDrill(drill)}
          </Text>
        </Group>
        <Text c="dimmed" fz="xs">
          <CopyId value={drill.id} label="drill id" /> <RelativeTime at={drill.createdAt} prefix="asked for " /> by{' '}
          {drill.createdBy}
        </Text>
      </Group>
      <Progress
        value={progress.total === 0 ? 0 : (progress.done / progress.total) * 100}
        color={drill.summary.failed > 0 ? 'red.8' : 'teal.9'}
        aria-label="Completed steps"
      />
      {reason !== null && <Text>The drill was stopped: {reasonSentence(reason)}</Text>}
    </Stack>
  );
}

function Step({ step }: { step: DrillStep }): ReactNode {
  const { word, tone } = stepResultLabelOf(step);
  return (
    <Accordion.Item value={step.name}>
      <Accordion.Control>
        <Stack gap={4}>
          <Group gap="xs">
            <StateBadge tone={tone}>{word}</StateBadge>
            <Text fw={550}>{STEP_TITLES[step.name]}</Text>
            <Text c="dimmed">{EXPECTATIONS[step.expects]}</Text>
          </Group>
          {step.fix && (
            <Text>
              <Inline>{step.fix}</Inline>
            </Text>
          )}
        </Stack>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <Text>
            SentMessage: <Inline>{step.sends}</Inline>
          </Text>
          {step.requests.length === 0 && <Text c="dimmed">Nothing was sent.</Text>}
          {step.requests.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows, and duplicates have the same identifier
            <SentMessage key={index} request={one} />
          ))}
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function SentMessage({ request }: { request: DrillRequest }): ReactNode {
  const { sequence, durationMs, detail, answer, processedCount, stateSequence, webhookId } = request;
  const hasReport = processedCount !== null || stateSequence !== null;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Text fw={550}>
          Sequence {sequence}: {describeOutcome(request)}
        </Text>
        <Text c="dimmed">took {formatMs(durationMs)}</Text>
        <CopyId value={webhookId} label="webhook id" />
      </Group>
      {hasReport && (
        <Text>
          The receiver reports that it has processed {processedCount ?? 'an unknown number'} and has the sequence{' '}
          {stateSequence ?? 'unknown'}.
        </Text>
      )}
      {detail !== null && <Text style={{ overflowWrap: 'anywhere' }}>{detail}</Text>}
      {answer !== null && answer !== '' && (
        <CodeBlock label="Response (beginning)" maxHeight={120} wraps>
          {answer}
        </CodeBlock>
      )}
    </Stack>
  );
}
