// Lists the changes of grants with author and reason.
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconFilterOff, IconHistory } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, defined, type GrantState, type InstallationChange } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { FilterSelect } from '../../kit/filter-select.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { SCOPES } from '../../kit/scopes.ts';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { APP_ROUTE, useAppScope } from '../../kit/use-app-scope.ts';
import { usePages } from '../../kit/use-pages.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../apps/use-app.ts';
import { InstallationCrumbs } from './installation-crumbs.tsx';
import { type HistorySearch, toHistorySearch } from './search.ts';
import { ServerSelect } from './server-select.tsx';

const route = getRouteApi(`${APP_ROUTE}/installations/history`);

export function InstallationHistoryPage(): ReactNode {
  const scope = useAppScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useTitle('History', 'Installations', useApp(scope).data?.name);
  const filters = defined({ serverId: search.server, scope: search.scope });
  const changes = usePages<InstallationChange>({
    queryKey: [...queryKeys.installations(scope), 'changes', filters],
    load: (cursor, signal) => api.listInstallationChanges({ ...scope, ...filters, limit: 50, ...cursor }, { signal }),
  });
  const set = (part: Partial<Record<keyof HistorySearch, string | null>>): void =>
    void navigate({ search: toHistorySearch({ ...search, ...part }), replace: true, resetScroll: false });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <InstallationCrumbs>History</InstallationCrumbs>
      <SectionHead title="History of the installations">
        Each change is recorded with the grant in one transaction and cannot be altered. Changes of deleted servers
        remain.
      </SectionHead>
      <Group gap="xs" role="search" aria-label="Filters">
        <ServerSelect placeholder="Any server" value={search.server} onChange={(server) => set({ server })} />
        <FilterSelect
          aria-label="Scope"
          placeholder="Any scope"
          w={190}
          data={[...SCOPES]}
          value={search.scope ?? null}
          onChange={(value) => set({ scope: value })}
        />
        {isFiltered && (
          <Button variant="subtle" size="xs" onClick={() => set({ server: null, scope: null })}>
            Clear
          </Button>
        )}
      </Group>
      {changes.error && <ProblemAlert error={changes.error} onRetry={() => void changes.refetch()} />}
      {changes.isPending && <RowsSkeleton rows={8} />}
      {changes.items?.length === 0 && (
        <EmptyList
          icon={isFiltered ? <IconFilterOff aria-hidden /> : <IconHistory aria-hidden />}
          title={isFiltered ? 'No change matches these filters' : 'No changes yet'}
        >
          {isFiltered ? 'Select another server or scope, or clear the filters.' : 'No server has changed a grant yet.'}
        </EmptyList>
      )}
      {changes.items && changes.items.length > 0 && (
        <Panel>
          <DataTable
            label="Changes of installations"
            layout="fixed"
            isTop
            columns={COLUMNS}
            rows={changes.items}
            rowKey={({ id }) => id}
          />
          <LoadMore {...changes} />
        </Panel>
      )}
    </Stack>
  );
}

const COLUMNS: Column<InstallationChange>[] = [
  { head: 'When', w: { base: 104, sm: 140 }, cell: ({ at }) => <RelativeTime at={at} /> },
  { head: 'Server', cell: (change) => <Where change={change} />, isMain: true, wraps: true },
  {
    head: 'Change',
    w: { base: 124, sm: 250 },
    cell: ({ from, to }) => (
      <Group gap={6}>
        <State state={from} />
        <Text component="span" c="dimmed" aria-label="became">
          →
        </Text>
        <State state={to} />
      </Group>
    ),
  },
  { head: 'By', cell: (change) => <By change={change} />, from: 'sm', fold: true, wraps: true },
];

const TONES = { authorised: 'good', paused: 'warning', revoked: 'bad' } as const;

function Where({ change: { serverId, serverName, scopes } }: { change: InstallationChange }): ReactNode {
  return (
    <>
      <AnchorLink
        to="/in/$organisationId/apps/$appId/installations/history"
        params={useAppScope()}
        search={{ server: serverId }}
        resetScroll={false}
      >
        {serverName ?? shorten(serverId)}
      </AnchorLink>
      <Text c="dimmed" fz="xs">
        {scopes === null ? 'the installation' : scopes.join(', ')}
      </Text>
    </>
  );
}

const State = ({ state }: { state: GrantState | null }): ReactNode =>
  state === null ? <Text c="dimmed">none</Text> : <StateBadge tone={TONES[state]}>{state}</StateBadge>;

function By({ change: { changedBy, reason } }: { change: InstallationChange }): ReactNode {
  return (
    <>
      {changedBy ?? 'automatically'}
      {reason !== null && (
        <Text component="span" display="block" c="dimmed" fz="xs">
          {reason}
        </Text>
      )}
    </>
  );
}
