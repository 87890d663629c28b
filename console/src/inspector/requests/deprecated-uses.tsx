// What the app still uses although it is deprecated: what ends first comes first.
import { Anchor, Stack, Table, Text } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AppScope, api, type DeprecatedUse } from '../../kit/api.ts';
import { NothingYet, RowsSkeleton } from '../../kit/list-states.tsx';
import { grouped } from '../../kit/number.ts';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { When } from '../../kit/when.tsx';
import { Inline } from '../../platform/reference/prose.tsx';

export function DeprecatedUses({ scope }: { scope: AppScope }): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.requests(scope), 'deprecated'],
    queryFn: ({ signal }) => api.listDeprecatedUses(scope, { signal }),
  });
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <RowsSkeleton rows={3} height={30} />;
  if (data.data.length === 0) {
    return (
      <NothingYet icon={<IconMoodSmile aria-hidden />} title="Nothing deprecated is used">
        No request of the last 30 days used what will end. Answers that do carry Deprecation and Sunset.
      </NothingYet>
    );
  }
  return (
    <Stack gap="xs">
      <Text c="dimmed">
        The last 30 days: what this app used although it will end. From its last day on it answers 410, gone.
      </Text>
      <Panel>
        <Table aria-label="Deprecated uses" verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">What</Table.Th>
              <Table.Th scope="col" w={{ base: 110, sm: 150 }}>
                Ends
              </Table.Th>
              <Table.Th scope="col" w={90} ta="right" visibleFrom="sm">
                Requests
              </Table.Th>
              <Table.Th scope="col" w={150} visibleFrom="sm">
                Last
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map((use) => (
              <UseRow key={use.id} use={use} />
            ))}
          </Table.Tbody>
        </Table>
      </Panel>
    </Stack>
  );
}

function UseRow({ use: { title, instead, pageUrl, ends, uses, lastUsedAt } }: { use: DeprecatedUse }): ReactNode {
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Anchor href={pageUrl} inherit>
          <Inline>{title}</Inline>
        </Anchor>
        <Text c="dimmed" fz="xs">
          <Inline>{instead}</Inline>
        </Text>
        <Text c="dimmed" fz="xs" hiddenFrom="sm">
          {grouped(uses)} {uses === 1 ? 'request' : 'requests'}
        </Text>
      </Table.Td>
      <Table.Td>{ends}</Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {grouped(uses)}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={lastUsedAt} />
      </Table.Td>
    </Table.Tr>
  );
}
