// Lists the decisions of reviewers about live access, above the notices of the environment.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { STATE_LABELS } from '../../governance/live-access/labels.ts';
import type { Role } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { ReadState } from './read-state.tsx';
import { type Decision, useDecisions, useReadDecision } from './use-decisions.ts';

interface DecisionListProps {
  organisationId: string;
  role: Role | undefined;
  isUnreadOnly: boolean;
}

export function DecisionList({ organisationId, role, isUnreadOnly }: DecisionListProps): ReactNode {
  const { decisions, unread } = useDecisions(organisationId);
  const read = useReadDecision(organisationId);
  const rows = isUnreadOnly ? unread : decisions;
  if (rows.length === 0) return null;
  const columns: Column<Decision>[] = [
    {
      head: 'Decision',
      w: 170,
      from: 'sm',
      cell: ({ state }) => {
        const [tone, word] = STATE_LABELS[state];
        return <StateBadge tone={tone}>{word}</StateBadge>;
      },
    },
    {
      head: 'Request',
      wraps: true,
      cell: (request) => (
        <Stack gap={4}>
          <Text fw={request.decisionReadAt ? 400 : 620}>{titleOf(request)}</Text>
          {request.state !== 'approved' && request.reason !== null && <Text c="dimmed">{request.reason}</Text>}
          <Group gap="xs" c="dimmed" fz="xs">
            <RelativeTime at={request.decidedAt} />
            {/* A plain link: the page is in the sandbox, which is another document in production. */}
            <Anchor href={`/sandbox/${organisationId}/apps/${request.appId}/live-access`} fz="xs">
              Live access of {request.appName}
            </Anchor>
          </Group>
        </Stack>
      ),
    },
    {
      head: 'Read',
      w: 130,
      align: 'right',
      cell: (request) => (
        <ReadState
          title={titleOf(request)}
          readAt={request.decisionReadAt}
          readBy={request.decisionReadBy}
          role={role}
          isMarking={read.isPending && read.variables.id === request.id}
          onRead={() => read.mutate(request)}
        />
      ),
    },
  ];
  return (
    <Panel>
      {read.error && <ProblemAlert error={read.error} />}
      <DataTable
        label="Decisions about live access"
        verticalSpacing="sm"
        isTop
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
      />
    </Panel>
  );
}

function titleOf({ state, appName }: Decision): string {
  if (state === 'approved') return `Live access of ${appName} was approved`;
  return state === 'rejected'
    ? `Live access of ${appName} was rejected`
    : `A reviewer requested changes for the live access of ${appName}`;
}
