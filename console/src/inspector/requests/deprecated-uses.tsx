// Lists the deprecated parts of the API that the app uses, earliest end first, with the newest requests and the endpoints
// that use them.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { type AppScope, api, type DeprecatedUse } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Inline } from '../../kit/inline.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { EmptyList, RowsSkeleton } from '../../kit/list-states.tsx';
import { counted, grouped } from '../../kit/number.ts';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { DeprecationAnswer } from './deprecation-answer.tsx';

export function DeprecatedUses({ scope }: { scope: AppScope }): ReactNode {
  const { organisationId, appId } = scope;
  const columns = useMemo(() => columnsOf({ organisationId, appId }), [organisationId, appId]);
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.requests(scope), 'deprecated'],
    queryFn: ({ signal }) => api.listDeprecatedUses(scope, { signal }),
  });
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <RowsSkeleton rows={3} height={30} />;
  if (data.data.length === 0) {
    return (
      <EmptyList icon={<IconMoodSmile aria-hidden />} title="No deprecated use">
        No request of the last 30 days and no endpoint used a deprecated part of the API.
      </EmptyList>
    );
  }
  return (
    <Stack gap="xs">
      <Text c="dimmed">
        Deprecated parts of the API that this app used in the last 30 days. After the end the API answers 410, gone, to
        a request that names one, and no longer sends a field or an event. Slipway does not know which fields of a
        response your app reads.
      </Text>
      <Panel>
        <DataTable
          label="Deprecated uses"
          verticalSpacing="sm"
          columns={columns}
          rows={data.data}
          rowKey={({ id }) => id}
        />
      </Panel>
    </Stack>
  );
}

function UseLinks({ scope, use }: { scope: AppScope; use: DeprecatedUse }): ReactNode {
  if (use.newestRequestIds.length === 0 && use.endpointIds.length === 0) return null;
  return (
    <Group gap={8} mt={4}>
      {use.newestRequestIds.map((request) => (
        <AnchorLink
          key={request}
          to="/in/$organisationId/apps/$appId/requests"
          params={scope}
          search={{ request }}
          fz="xs"
          ff="monospace"
        >
          {request}
        </AnchorLink>
      ))}
      {use.endpointIds.map((endpointId) => (
        <AnchorLink
          key={endpointId}
          to="/in/$organisationId/apps/$appId/webhooks/endpoints/$endpointId"
          params={{ ...scope, endpointId }}
          search={{ view: 'settings' }}
          fz="xs"
          ff="monospace"
        >
          {endpointId}
        </AnchorLink>
      ))}
    </Group>
  );
}

const columnsOf = (scope: AppScope): Column<DeprecatedUse>[] => [
  {
    head: 'Subject',
    wraps: true,
    cell: (use) => (
      <>
        <Anchor href={use.pageUrl} inherit>
          <Inline>{use.title}</Inline>
        </Anchor>
        <Text c="dimmed" fz="xs">
          <Inline>{use.replacement}</Inline>
        </Text>
        <UseLinks scope={scope} use={use} />
      </>
    ),
  },
  { head: 'Ends', w: { base: 110, sm: 120 }, cell: ({ ends }) => ends },
  {
    head: 'Requests',
    w: 90,
    align: 'right',
    from: 'sm',
    fold: ({ uses }) => counted(uses, 'request'),
    cell: ({ uses }) => grouped(uses),
  },
  {
    head: 'Last use',
    w: 130,
    from: 'md',
    cell: ({ lastUsedAt }) => lastUsedAt && <RelativeTime at={lastUsedAt} />,
  },
  {
    head: 'Notices',
    w: { base: 130, sm: 230 },
    wraps: true,
    cell: (use) => <DeprecationAnswer scope={scope} use={use} />,
  },
];
