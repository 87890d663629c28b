// The problems of the time, in groups of one code and one operation, each with what mends it.
import { Group, Stack, Table, Text } from '@mantine/core';
import { IconFilterOff, IconMoodSmile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AppScope, api, type RequestFilters, type RequestGroup } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { NothingYet, RowsSkeleton } from '../../kit/list-states.tsx';
import { grouped } from '../../kit/number.ts';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { exactTime } from '../../kit/time.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { When } from '../../kit/when.tsx';
import { timeWords } from './filter-words.ts';
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
        {timeWords(search) ?? 'Last 24 hours'}: requests that ended in a problem, by code and operation.
        {data.searchedUntil !== null &&
          ` There are very many: what was before ${exactTime(data.searchedUntil)} is left out.`}
      </Text>
      {data.data.length === 0 ? <NoProblems search={search} /> : <GroupTable groups={data.data} search={search} />}
    </Stack>
  );
}

function NoProblems({ search }: { search: RequestsSearch }): ReactNode {
  if (hasFilters(search)) {
    return (
      <NothingYet icon={<IconFilterOff aria-hidden />} title="No problem fits these filters">
        Take a filter away, or look at another time.
      </NothingYet>
    );
  }
  return (
    <NothingYet icon={<IconMoodSmile aria-hidden />} title="No problems in the last 24 hours">
      Every request was answered without one.
    </NothingYet>
  );
}

function GroupTable({ groups, search }: { groups: RequestGroup[]; search: RequestsSearch }): ReactNode {
  return (
    <Panel>
      <Table aria-label="Problems" verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Problem</Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              Operation
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Requests
            </Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              First seen
            </Table.Th>
            <Table.Th scope="col">Last seen</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.map((group) => (
            <GroupRow key={`${group.code} ${group.operationId}`} group={group} search={search} />
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

const REQUESTS = '/in/$organisationId/apps/$appId/requests';

function GroupRow({ group, search }: { group: RequestGroup; search: RequestsSearch }): ReactNode {
  const scope = useAppScope();
  const { code, operationId, count, firstAt, lastAt, sampleId } = group;
  const operation = operationId ?? 'no such path';
  const only = toRequestsSearch({ ...search, view: undefined, code, operation: operationId ?? NO_OPERATION });
  return (
    <Table.Tr>
      <Table.Td>
        <Text ff="monospace" fz={13} fw={600} style={{ overflowWrap: 'anywhere' }}>
          {code}
        </Text>
        <Text c="dimmed" hiddenFrom="sm" fz="xs">
          {operation}
        </Text>
        <Group gap="0 16px" mt={2}>
          <AnchorLink
            to="/in/$organisationId/apps/$appId/reference/$kind/$name"
            params={{ ...scope, kind: 'problems', name: code }}
            fz="xs"
            lh={2}
          >
            How to mend it
          </AnchorLink>
          <AnchorLink
            to={REQUESTS}
            params={scope}
            search={only}
            fz="xs"
            lh={2}
            aria-label={`Show ${code} of ${operation}`}
          >
            Show them
          </AnchorLink>
          <AnchorLink
            to={REQUESTS}
            params={scope}
            search={{ ...search, request: sampleId }}
            resetScroll={false}
            fz="xs"
            lh={2}
          >
            The newest
          </AnchorLink>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text {...(operationId === null && { c: 'dimmed' })}>{operation}</Text>
      </Table.Td>
      <Table.Td ta="right">{grouped(count)}</Table.Td>
      <Table.Td visibleFrom="sm">
        <When at={firstAt} />
      </Table.Td>
      <Table.Td>
        <When at={lastAt} />
      </Table.Td>
    </Table.Tr>
  );
}
