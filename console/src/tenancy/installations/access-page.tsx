// Explains why a call is allowed or refused now. The server evaluates the rules that decide about calls.
import { Group, Stack, Text } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, defined, type Key } from '../../kit/api.ts';
import { FilterSelect } from '../../kit/filter-select.tsx';
import { EmptyList, RowsSkeleton } from '../../kit/list-states.tsx';
import { LoadOlder } from '../../kit/load-older.tsx';
import { SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { useItems } from '../../kit/use-all-pages.ts';
import { APP_ROUTE, useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { ALL_TYPES } from '../../webhooks/webhooks/event-types.ts';
import { useApp } from '../apps/use-app.ts';
import { publicText } from '../keys/key-labels.ts';
import { useKeys } from '../keys/use-keys.ts';
import { AccessAnswer } from './access-answer.tsx';
import { InstallationCrumbs } from './installation-crumbs.tsx';
import { type AccessSearch, EXPLAINED_OPERATIONS, toAccessSearch } from './search.ts';
import { ServerSelect } from './server-select.tsx';

const route = getRouteApi(`${APP_ROUTE}/installations/access`);

export function AccessPage(): ReactNode {
  const search = route.useSearch();
  const { operation } = search;
  useTitle('Explain access', useApp(useAppScope()).data?.name);
  return (
    <Stack>
      <InstallationCrumbs>Explain access</InstallationCrumbs>
      <SectionHead title="Explain access">
        Explains rule by rule whether a call is allowed now, and how to fix a failed rule. No call is made.
      </SectionHead>
      <ExplanationForm search={search} />
      {operation === undefined ? (
        <EmptyList icon={<IconRoute aria-hidden />} title="Select a call">
          Select an operation, and the key and server of the call.
        </EmptyList>
      ) : (
        <ExplanationResult search={search} operation={operation} />
      )}
    </Stack>
  );
}

function ExplanationForm({ search }: { search: AccessSearch }): ReactNode {
  const navigate = route.useNavigate();
  const list = useKeys(useAppScope());
  const keys = list.items ?? [];
  const { operation, key, server, event } = search;
  const named = useItems(list, [key])(key);
  const isListed = key === undefined || keys.some(({ id }) => id === key);
  const set = (part: Partial<Record<keyof AccessSearch, string | null>>): void =>
    void navigate({ search: toAccessSearch({ ...search, ...part }), replace: true, resetScroll: false });
  return (
    <Group gap="xs" role="search" aria-label="The call">
      <FilterSelect
        aria-label="Operation"
        placeholder="Operation"
        searchable
        w={200}
        data={EXPLAINED_OPERATIONS}
        value={operation ?? null}
        onChange={(value) => set({ operation: value })}
      />
      <FilterSelect
        aria-label="Key"
        placeholder="Any key"
        searchable
        w={260}
        data={[
          ...keys.map((one) => ({ value: one.id, label: labelOf(one) })),
          ...(isListed ? [] : [{ value: key, label: named ? labelOf(named) : key }]),
        ]}
        value={key ?? null}
        onChange={(value) => set({ key: value })}
      />
      <LoadOlder noun="keys" list={list} />
      <ServerSelect placeholder="No server" value={server} onChange={(value) => set({ server: value })} />
      {(operation === 'listEvents' || operation === 'getEvent') && (
        <FilterSelect
          aria-label="Event type"
          placeholder="Any event"
          searchable
          w={200}
          data={ALL_TYPES}
          value={event ?? null}
          onChange={(value) => set({ event: value })}
        />
      )}
    </Group>
  );
}

const labelOf = ({ name, kid }: Key): string => `${name} (${publicText(kid)})`;

function ExplanationResult({
  search,
  operation,
}: {
  search: AccessSearch;
  operation: NonNullable<AccessSearch['operation']>;
}): ReactNode {
  const scope = useAppScope();
  const filters = defined({ keyId: search.key, serverId: search.server, eventType: search.event });
  const input = { ...scope, operationId: operation, ...filters };
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.installations(scope), 'access', input],
    queryFn: ({ signal }) => api.explainAccess(input, { signal }),
    staleTime: 0, // the answer is about the current state
  });
  if (search.server === undefined && fieldError(error, '/query/serverId'))
    return <Text role="status">{operation} belongs to one server: select it.</Text>;
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  return data ? <AccessAnswer answer={data} /> : <RowsSkeleton rows={8} />;
}
