// Lists deprecated operations and fields that the app used, earliest end first.
import { Anchor, Stack, Text } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AppScope, api, type DeprecatedUse } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyList, RowsSkeleton } from '../../kit/list-states.tsx';
import { counted, grouped } from '../../kit/number.ts';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
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
      <EmptyList icon={<IconMoodSmile aria-hidden />} title="No deprecated use">
        No request of the last 30 days used a deprecated operation or field. Affected responses carry Deprecation and
        Sunset.
      </EmptyList>
    );
  }
  return (
    <Stack gap="xs">
      <Text c="dimmed">
        Deprecated operations and fields that this app used in the last 30 days. After the end the API answers 410,
        gone.
      </Text>
      <Panel>
        <DataTable
          label="Deprecated uses"
          verticalSpacing="sm"
          columns={COLUMNS}
          rows={data.data}
          rowKey={({ id }) => id}
        />
      </Panel>
    </Stack>
  );
}

const COLUMNS: Column<DeprecatedUse>[] = [
  {
    head: 'Subject',
    wraps: true,
    cell: ({ title, instead, pageUrl }) => (
      <>
        <Anchor href={pageUrl} inherit>
          <Inline>{title}</Inline>
        </Anchor>
        <Text c="dimmed" fz="xs">
          <Inline>{instead}</Inline>
        </Text>
      </>
    ),
  },
  { head: 'Ends', w: { base: 110, sm: 150 }, cell: ({ ends }) => ends },
  {
    head: 'Requests',
    w: 90,
    align: 'right',
    from: 'sm',
    fold: ({ uses }) => counted(uses, 'request'),
    cell: ({ uses }) => grouped(uses),
  },
  { head: 'Last use', w: 150, from: 'sm', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
];
