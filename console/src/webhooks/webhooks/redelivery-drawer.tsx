// Shows one redelivery job with its progress and results, and pauses, resumes or cancels it.
import { Drawer, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AppScope, RedeliveryDetail, Role } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { type Fact, FactList } from '../../kit/fact-list.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { grouped } from '../../kit/number.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { exactTime } from '../../kit/time.ts';
import { useItems } from '../../kit/use-all-pages.ts';
import { DELIVERY_TONES, reasonSentence } from './delivery-labels.ts';
import { describeFilter, describeProgress, JOB_TONES, progressOf } from './redelivery-labels.ts';
import { useEndpoints } from './use-endpoints.ts';
import { useRedelivery, useUpdateRedelivery } from './use-redeliveries.ts';

interface RedeliveryDrawerProps {
  scope: AppScope;
  role: Role | undefined;
  redeliveryId: string | undefined;
  onClose: () => void;
}

export function RedeliveryDrawer({ scope, role, redeliveryId, onClose }: RedeliveryDrawerProps): ReactNode {
  return (
    <Drawer opened={redeliveryId !== undefined} onClose={onClose} position="right" size={640} title="Redelivery">
      {redeliveryId !== undefined && <JobBody scope={scope} role={role} redeliveryId={redeliveryId} />}
    </Drawer>
  );
}

interface JobBodyProps {
  scope: AppScope;
  role: Role | undefined;
  redeliveryId: string;
}

function JobBody({ scope, role, redeliveryId }: JobBodyProps): ReactNode {
  const { data, error, refetch } = useRedelivery(scope, redeliveryId);
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} radius="sm" />;
  return (
    <Stack>
      <Group gap="sm" role="status">
        <StateBadge tone={JOB_TONES[data.state]}>{data.state}</StateBadge>
        <Title order={2} fz={15}>
          {describeProgress(data)}
        </Title>
      </Group>
      <Progress value={progressOf(data)} aria-label="Progress" />
      <JobActions key={data.id} scope={scope} role={role} job={data} />
      <JobFacts scope={scope} job={data} />
      <Outcomes job={data} />
      <AnchorLink
        to="/in/$organisationId/apps/$appId/webhooks"
        params={scope}
        search={{ redelivery: data.id }}
        w="fit-content"
      >
        Show its deliveries
      </AnchorLink>
    </Stack>
  );
}

function JobActions({ scope, role, job }: Omit<JobBodyProps, 'redeliveryId'> & { job: RedeliveryDetail }): ReactNode {
  const [isCancelling, setCancelling] = useState(false);
  const update = useUpdateRedelivery(scope, job.id);
  if (job.state === 'finished' || job.state === 'cancelled') return null;
  const isRunning = job.state === 'running';
  const button = { role, action: 'deliveries.redeliver', variant: 'default', size: 'xs' } as const;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <GuardedButton
          {...button}
          loading={update.isPending && !isCancelling}
          onClick={() => update.mutate(isRunning ? 'paused' : 'running')}
        >
          {isRunning ? 'Pause' : 'Resume'}
        </GuardedButton>
        <GuardedButton {...button} onClick={() => setCancelling(true)}>
          Cancel the rest
        </GuardedButton>
      </Group>
      {update.error && !isCancelling && <ProblemAlert error={update.error} />}
      {isCancelling && (
        <ConfirmDialog
          isOpen
          title={`Cancel the ${ENVIRONMENT} redelivery job?`}
          action="Cancel the redelivery"
          isPending={update.isPending}
          error={update.error}
          onConfirm={() => update.mutate('cancelled', { onSuccess: () => setCancelling(false) })}
          onClose={() => setCancelling(false)}
        >
          <Text>
            The job redelivers no more, and the waiting deliveries that it created are cancelled within seconds. Another
            job finds them by the reason redelivery_cancelled. Retries that it made due continue.
          </Text>
        </ConfirmDialog>
      )}
    </Stack>
  );
}

function JobFacts({ scope, job }: { scope: AppScope; job: RedeliveryDetail }): ReactNode {
  const endpointOf = useItems(useEndpoints(scope), [job.filter.endpointId]);
  const facts: Fact[] = [
    ['Redelivery id', <CopyId key="id" value={job.id} label="redelivery id" />],
    ['Filter', describeFilter(job, endpointOf)],
    ['Rate', `${grouped(job.ratePerSecond)} per second; the rates of endpoints apply too`],
    ['Started', `${exactTime(job.createdAt)} by ${job.createdBy}`],
    ['Ended', job.finishedAt && exactTime(job.finishedAt) + (job.finishedBy ? ` by ${job.finishedBy}` : '')],
  ];
  return <FactList facts={facts} />;
}

const OUTCOME_COLUMNS: Column<RedeliveryDetail['deliveries'][number]>[] = [
  { head: 'Status', w: 150, cell: ({ status }) => <StateBadge tone={DELIVERY_TONES[status]}>{status}</StateBadge> },
  { head: 'Reason', cell: ({ reason }) => reason !== null && reasonSentence(reason) },
  { head: 'Deliveries', align: 'right', cell: ({ count }) => grouped(count) },
];

function Outcomes({ job: { deliveries, isCountComplete } }: { job: RedeliveryDetail }): ReactNode {
  if (deliveries.length === 0) return <Text c="dimmed">It has created no delivery yet.</Text>;
  return (
    <Stack gap={4}>
      <Title order={3} fz={14.5}>
        Results
      </Title>
      {!isCountComplete && <Text c="dimmed">The job has too many deliveries to count: these are the first ones.</Text>}
      <DataTable
        label="Results"
        isHeadless
        columns={OUTCOME_COLUMNS}
        rows={deliveries}
        rowKey={({ status, reason }) => `${status} ${reason}`}
      />
    </Stack>
  );
}
