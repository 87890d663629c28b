// Groups failed requests by problem code and operation, each with a link to the solution.
import { Group, Stack, Text } from '@mantine/core';
import { IconFilterOff, IconMoodSmile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AppScope, api, type RequestFilters, type RequestGroup } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { EmptyList, RowsSkeleton } from '../../kit/list-states.tsx';
import { grouped } from '../../kit/number.ts';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { exactTime } from '../../kit/time.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { describeTimeRange } from './filter-labels.ts';
import { hasFilters, NO_OPERATION, type RequestsSearch, toRequestsSearch } from './search.ts';

const LOOK_EVERY_MS = 10_000;

interface ProblemGroupsProps {
  scope: AppScope;
  search: RequestsSearch;
  filters: RequestFilters;
}

export function ProblemGroups({ scope, search, filters }: ProblemGroupsProps): ReactNode {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...queryKeys.requests(scope), 'groups', filters],
    queryFn: ({ signal }) => api.getRequestGroups({ ...scope, ...filters }, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  });
  if (isPending) return <RowsSkeleton rows={4} height={30} />;
  if (!data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="xs">
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      <Text c="dimmed">
        {describeTimeRange(search) ?? 'Last 24 hours'}: requests that ended in a problem, by code and operation.
        {data.searchedUntil !== null &&
          ` The search reached its limit: requests before ${exactTime(data.searchedUntil)} are not counted.`}
      </Text>
      {data.data.length === 0 ? <NoProblems search={search} /> : <GroupTable groups={data.data} search={search} />}
    </Stack>
  );
}

function NoProblems({ search }: { search: RequestsSearch }): ReactNode {
  if (hasFilters(search)) {
    return (
      <EmptyList icon={<IconFilterOff aria-hidden />} title="No problem matches these filters">
        Remove a filter, or select another time.
      </EmptyList>
    );
  }
  return (
    <EmptyList icon={<IconMoodSmile aria-hidden />} title="No problems in the last 24 hours">
      Every request succeeded.
    </EmptyList>
  );
}

function GroupTable({ groups, search }: { groups: RequestGroup[]; search: RequestsSearch }): ReactNode {
  const columns: Column<RequestGroup>[] = [
    {
      head: 'Problem',
      cell: (group) => (
        <>
          <Text ff="monospace" fz={13} fw={600} style={{ overflowWrap: 'anywhere' }}>
            {group.code}
          </Text>
          <Text c="dimmed" hiddenFrom="sm" fz="xs">
            {operationOf(group)}
          </Text>
          <GroupLinks group={group} search={search} />
        </>
      ),
    },
    {
      head: 'Operation',
      from: 'sm',
      cell: (group) => <Text {...(group.operationId === null && { c: 'dimmed' })}>{operationOf(group)}</Text>,
    },
    { head: 'Requests', align: 'right', cell: ({ count }) => grouped(count) },
    { head: 'First seen', from: 'sm', cell: ({ firstAt }) => <RelativeTime at={firstAt} /> },
    { head: 'Last seen', cell: ({ lastAt }) => <RelativeTime at={lastAt} /> },
  ];
  return (
    <Panel>
      <DataTable
        label="Problems"
        verticalSpacing="sm"
        columns={columns}
        rows={groups}
        rowKey={({ code, operationId }) => `${code} ${operationId}`}
      />
    </Panel>
  );
}

const operationOf = ({ operationId }: RequestGroup): string => operationId ?? 'no such path';

const REQUESTS = '/in/$organisationId/apps/$appId/requests';

function GroupLinks({ group, search }: { group: RequestGroup; search: RequestsSearch }): ReactNode {
  const scope = useAppScope();
  const { code, operationId, sampleId } = group;
  const only = toRequestsSearch({ ...search, view: undefined, code, operation: operationId ?? NO_OPERATION });
  return (
    <Group gap="0 16px" mt={2}>
      <AnchorLink
        to="/in/$organisationId/apps/$appId/reference/$kind/$name"
        params={{ ...scope, kind: 'problems', name: code }}
        fz="xs"
        lh={2}
      >
        Solution
      </AnchorLink>
      <AnchorLink
        to={REQUESTS}
        params={scope}
        search={only}
        fz="xs"
        lh={2}
        aria-label={`Show requests with ${code} of ${operationOf(group)}`}
      >
        Show requests
      </AnchorLink>
      <AnchorLink
        to={REQUESTS}
        params={scope}
        search={{ ...search, request: sampleId }}
        resetScroll={false}
        fz="xs"
        lh={2}
      >
        Newest
      </AnchorLink>
    </Group>
  );
}
