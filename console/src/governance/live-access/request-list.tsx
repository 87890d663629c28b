// Lists the requests of an app, newest first. The page shows one of them above.
import { Stack, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LiveAccessRequest } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { STATE_LABELS } from './labels.ts';

interface RequestListProps {
  requests: LiveAccessRequest[];
  shown: string | undefined;
  onShow: (id: string) => void;
}

export function RequestList({ requests, shown, onShow }: RequestListProps): ReactNode {
  const columns: Column<LiveAccessRequest>[] = [
    {
      head: 'Scopes',
      wraps: true,
      cell: ({ id, scopes }) => (
        <UnstyledButton aria-pressed={id === shown} td="underline" onClick={() => onShow(id)}>
          {scopes.map(({ scope }) => scope).join(', ') || 'No scopes yet'}
        </UnstyledButton>
      ),
    },
    {
      head: 'State',
      cell: ({ state }) => {
        const [tone, word] = STATE_LABELS[state];
        return <StateBadge tone={tone}>{word}</StateBadge>;
      },
    },
    { head: 'Created', from: 'sm', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];
  return (
    <Stack gap="xs">
      <SectionHead title="All requests of this app" order={3} />
      <Panel>
        <DataTable
          label="Requests for live access"
          isHeadless
          columns={columns}
          rows={requests}
          rowKey={({ id }) => id}
        />
      </Panel>
    </Stack>
  );
}
