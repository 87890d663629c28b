// Where one is signed in: each session, and the ways to end them.
import { Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type ListedSession } from '../../kit/api.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { Tag } from '../../kit/state-badge.tsx';
import { When } from '../../kit/when.tsx';
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
        <SectionHead title="Sessions">Where you are signed in. End what you do not know.</SectionHead>
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
  const end = useMutation({
    mutationFn: (sessionId: string) => api.endSession({ sessionId }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
  return (
    <>
      {end.error && <ProblemAlert error={end.error} />}
      <Table aria-label="Your sessions" verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Browser</Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              Signed in
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Actions
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map(({ id, userAgent, address, createdAt, isCurrent }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Text title={userAgent}>{browserOf(userAgent)}</Text>
                <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }}>
                  {address}
                </Text>
                <Text c="dimmed" fz="xs" hiddenFrom="sm">
                  <When at={createdAt} />
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <When at={createdAt} />
              </Table.Td>
              <Table.Td>
                <Group justify="flex-end">
                  {isCurrent ? (
                    <Tag>this one</Tag>
                  ) : (
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={`End the session of ${browserOf(userAgent)} at ${address}`}
                      loading={end.isPending && end.variables === id}
                      onClick={() => end.mutate(id)}
                    >
                      End
                    </Button>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
