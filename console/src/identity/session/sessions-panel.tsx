// Lists the person's sessions, and ends one or all of them.
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type ListedSession } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Tag } from '../../kit/state-badge.tsx';
import { browserOf } from './browser-of.ts';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

export function SessionsPanel(): ReactNode {
  const sessions = useQuery({
    queryKey: queryKeys.sessions,
    queryFn: ({ signal }) => api.listSessions({}, { signal }),
  });
  return (
    <Panel p="lg">
      <Stack>
        <SectionHead title="Sessions">
          Browsers in which you are signed in. End sessions that you do not recognise.
        </SectionHead>
        {sessions.error && <ProblemAlert error={sessions.error} onRetry={() => void sessions.refetch()} />}
        {sessions.isPending && <Skeleton height={90} radius="sm" />}
        {sessions.data && <SessionTable sessions={sessions.data.data} />}
        <SignOutEverywhere />
      </Stack>
    </Panel>
  );
}

function SessionTable({ sessions }: { sessions: ListedSession[] }): ReactNode {
  const queries = useQueryClient();
  const endSession = useMutation({
    mutationFn: (sessionId: string) => api.endSession({ sessionId }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
  const columns: Column<ListedSession>[] = [
    {
      head: 'Browser',
      cell: ({ userAgent, address }) => (
        <>
          <Text title={userAgent}>{browserOf(userAgent)}</Text>
          <Text c="dimmed" fz="xs">
            {address}
          </Text>
        </>
      ),
      wraps: true,
    },
    { head: 'Signed in', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, from: 'sm', fold: true },
    {
      head: 'Actions',
      align: 'right',
      cell: ({ id, userAgent, address, isCurrent }) =>
        isCurrent ? (
          <Tag>this one</Tag>
        ) : (
          <Button
            variant="default"
            size="xs"
            aria-label={`End the session of ${browserOf(userAgent)} at ${address}`}
            loading={endSession.isPending && endSession.variables === id}
            onClick={() => endSession.mutate(id)}
          >
            End
          </Button>
        ),
    },
  ];
  return (
    <>
      {endSession.error && <ProblemAlert error={endSession.error} />}
      <DataTable label="Your sessions" verticalSpacing="sm" columns={columns} rows={sessions} rowKey={({ id }) => id} />
    </>
  );
}
