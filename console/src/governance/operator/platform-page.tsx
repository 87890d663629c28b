// Lists failures of the upstream API, which apps received as 502, 503 or 504. Only operators can fix them.
import { Group, Stack, Text } from '@mantine/core';
import { IconPlugConnected, IconPlugX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { UpstreamFailure } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { ENVIRONMENTS, PRODUCTION_REASON, useEnvironments } from '../../kit/environments.ts';
import { EmptyList, RowsSkeleton } from '../../kit/list-states.tsx';
import { grouped } from '../../kit/number.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge, Tag } from '../../kit/state-badge.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { FAILURE_TEXTS } from './upstream-failure-labels.ts';
import { useUpstreamFailures } from './use-operator.ts';

export function UpstreamPage(): ReactNode {
  useTitle('Upstream API', 'Operator');
  const failures = useUpstreamFailures();
  return (
    <Stack>
      <SectionHead title="Upstream API" action={<Tag>{ENVIRONMENTS.production.name}</Tag>}>
        Failures of the upstream API, one row per operation and hour, newest 100. Responses of the upstream API are not
        stored.
      </SectionHead>
      {failures.error && <ProblemAlert error={failures.error} onRetry={() => void failures.refetch()} />}
      {failures.isPending && <RowsSkeleton rows={4} height={30} />}
      {failures.data?.length === 0 && <NoFailures />}
      {failures.data && failures.data.length > 0 && (
        <Panel>
          <DataTable
            label="Failures of the upstream API"
            verticalSpacing="sm"
            columns={COLUMNS}
            rows={failures.data}
            rowKey={({ hour, operationId }) => `${hour} ${operationId}`}
          />
        </Panel>
      )}
    </Stack>
  );
}

function NoFailures(): ReactNode {
  const environments = useEnvironments();
  const isConfigured = environments.data?.data.some(({ name }) => name === 'production') ?? true;
  if (isConfigured) {
    return (
      <EmptyList icon={<IconPlugConnected aria-hidden />} title="No failures">
        Every response of the upstream API matched the contract.
      </EmptyList>
    );
  }
  return (
    <EmptyList icon={<IconPlugX aria-hidden />} title="No production yet">
      {PRODUCTION_REASON}
    </EmptyList>
  );
}

const COLUMNS: Column<UpstreamFailure>[] = [
  {
    head: 'Operation',
    wraps: true,
    cell: ({ operationId }) => (
      <Text ff="monospace" fz={13} fw={600}>
        {operationId}
      </Text>
    ),
  },
  {
    head: 'Last failure',
    from: 'sm',
    fold: ({ kind, status }) => `${FAILURE_TEXTS[kind].badge}${status === null ? '' : `, HTTP ${status}`}`,
    cell: ({ kind, status }) => {
      const { tone, badge, fix } = FAILURE_TEXTS[kind];
      return (
        <>
          <Group gap={6}>
            <StateBadge tone={tone}>{badge}</StateBadge>
            {status !== null && (
              <Text ff="monospace" fz={13}>
                HTTP {status}
              </Text>
            )}
          </Group>
          <Text c="dimmed" fz="xs" mt={2}>
            {fix}
          </Text>
        </>
      );
    },
  },
  { head: 'Count', align: 'right', cell: ({ count }) => grouped(count) },
  {
    head: 'Example',
    from: 'md',
    cell: ({ requestId }) => <CopyId value={requestId} label="request id" shown={shorten(requestId)} />,
  },
  { head: 'When', cell: ({ lastAt }) => <RelativeTime at={lastAt} /> },
];
