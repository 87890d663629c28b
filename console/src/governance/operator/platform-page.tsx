// How the platform behind production fails: what apps were told of in a 502, 503 or 504, and nobody but operators can mend.
import { Stack, Table, Text } from '@mantine/core';
import { IconPlugConnected, IconPlugX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { UpstreamFailure } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { ENVIRONMENTS, PRODUCTION_REASON, useEnvironments } from '../../kit/environments.ts';
import { NothingYet, RowsSkeleton } from '../../kit/list-states.tsx';
import { grouped } from '../../kit/number.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge, Tag } from '../../kit/state-badge.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { When } from '../../kit/when.tsx';
import { FAILURE_WORDS } from './platform-words.ts';
import { useUpstreamFailures } from './use-operator.ts';

export function PlatformPage(): ReactNode {
  useTitle('Platform', 'Operator');
  const failures = useUpstreamFailures();
  return (
    <Stack>
      <SectionHead title="Platform" action={<Tag>{ENVIRONMENTS.production.name}</Tag>}>
        How the API behind production fails: of each operation one row an hour, the newest 100. Apps were told in our
        words; of its own nothing is kept.
      </SectionHead>
      {failures.error && <ProblemAlert error={failures.error} onRetry={() => void failures.refetch()} />}
      {failures.isPending && <RowsSkeleton rows={4} height={30} />}
      {failures.data?.length === 0 && <NoFailures />}
      {failures.data && failures.data.length > 0 && (
        <Panel>
          <FailureTable failures={failures.data} />
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
      <NothingYet icon={<IconPlugConnected aria-hidden />} title="No failures">
        Every answer of the platform fitted the contract.
      </NothingYet>
    );
  }
  return (
    <NothingYet icon={<IconPlugX aria-hidden />} title="No production yet">
      {PRODUCTION_REASON}
    </NothingYet>
  );
}

function FailureTable({ failures }: { failures: UpstreamFailure[] }): ReactNode {
  return (
    <Table aria-label="Failures of the platform" verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Operation</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            The last time
          </Table.Th>
          <Table.Th scope="col" ta="right">
            Times
          </Table.Th>
          <Table.Th scope="col" visibleFrom="md">
            A request of it
          </Table.Th>
          <Table.Th scope="col">When</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {failures.map((failure) => (
          <FailureRow key={`${failure.hour} ${failure.operationId}`} failure={failure} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function FailureRow({ failure }: { failure: UpstreamFailure }): ReactNode {
  const { operationId, kind, count, requestId, lastAt } = failure;
  const { tone, badge, mend } = FAILURE_WORDS[kind];
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text ff="monospace" fz={13} fw={600}>
          {operationId}
        </Text>
        <Text hiddenFrom="sm" c="dimmed" fz="xs">
          {badge}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <StateBadge tone={tone}>{badge}</StateBadge>
        <Text c="dimmed" fz="xs" mt={2}>
          {mend}
        </Text>
      </Table.Td>
      <Table.Td ta="right">{grouped(count)}</Table.Td>
      <Table.Td visibleFrom="md">
        <CopyId value={requestId} label="request id" shown={shorten(requestId)} />
      </Table.Td>
      <Table.Td>
        <When at={lastAt} />
      </Table.Td>
    </Table.Tr>
  );
}
