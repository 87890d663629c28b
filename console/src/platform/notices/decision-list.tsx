// Lists the decisions of reviewers about live access, above the notices of the environment.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { STATE_LABELS } from '../../governance/live-access/labels.ts';
import type { LiveAccessRequest } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { useDecisions } from './use-decisions.ts';

interface DecisionListProps {
  organisationId: string;
  isUnreadOnly: boolean;
}

export function DecisionList({ organisationId, isUnreadOnly }: DecisionListProps): ReactNode {
  const { decisions, unread, isRead, markRead } = useDecisions(organisationId);
  const rows = isUnreadOnly ? unread : decisions;
  if (rows.length === 0) return null;
  const columns: Column<LiveAccessRequest>[] = [
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
          <Text fw={isRead(request) ? 400 : 620}>{titleOf(request)}</Text>
          {request.state !== 'approved' && request.reason !== null && <Text c="dimmed">{request.reason}</Text>}
          <Group gap="xs" c="dimmed" fz="xs">
            {request.decidedAt !== null && <RelativeTime at={request.decidedAt} />}
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
      cell: (request) =>
        isRead(request) ? (
          <Text c="dimmed" fz="xs">
            Read in this browser
          </Text>
        ) : (
          <Button
            variant="default"
            size="xs"
            aria-label={`Mark as read: ${titleOf(request)}`}
            onClick={() => markRead(request)}
          >
            Mark as read
          </Button>
        ),
    },
  ];
  return (
    <Panel>
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

function titleOf({ state, appName }: LiveAccessRequest): string {
  if (state === 'approved') return `Live access of ${appName} was approved`;
  return state === 'rejected'
    ? `Live access of ${appName} was rejected`
    : `A reviewer requested changes for the live access of ${appName}`;
}
