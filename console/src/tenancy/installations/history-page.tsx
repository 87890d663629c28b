// Lists the changes of grants with author and reason.
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconFilterOff, IconHistory } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, defined, type GrantState, type InstallationChange } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { FilterSelect } from '../../kit/filter-select.tsx';
import { Fold } from '../../kit/fold.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { counted } from '../../kit/number.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { SCOPES } from '../../kit/scopes.ts';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { APP_ROUTE, useAppScope } from '../../kit/use-app-scope.ts';
import { toFeedName } from '../../kit/use-live-refresh.ts';
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
    read: (limit = 50) => toFeedName('listInstallationChanges', { ...scope, ...filters, limit }),
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
            rows={groupChanges(changes.items)}
            rowKey={({ first }) => first.id}
          />
          <LoadMore {...changes} />
        </Panel>
      )}
    </Stack>
  );
}

/** Adjacent changes that one action made, such as a change of every server. */
interface ChangeGroup {
  first: InstallationChange;
  changes: InstallationChange[];
}

/** The longest time in milliseconds between two changes of one automatic action, which has no request. */
const AUTOMATIC_GAP_MS = 1_000;

function groupChanges(changes: readonly InstallationChange[]): ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    if (group && isSameAction(group.changes.at(-1) ?? group.first, change)) group.changes.push(change);
    else groups.push({ first: change, changes: [change] });
  }
  return groups;
}

function isSameAction(a: InstallationChange, b: InstallationChange): boolean {
  const isAlike = (['from', 'to', 'changedBy', 'reason', 'requestId'] as const).every((field) => a[field] === b[field]);
  return isAlike && (a.requestId !== null || Date.parse(a.at) - Date.parse(b.at) <= AUTOMATIC_GAP_MS);
}

const COLUMNS: Column<ChangeGroup>[] = [
  { head: 'When', w: { base: 104, sm: 140 }, cell: ({ first }) => <RelativeTime at={first.at} /> },
  { head: 'Server', cell: ({ changes }) => <Places changes={changes} />, isMain: true, wraps: true },
  {
    head: 'Change',
    w: { base: 124, sm: 250 },
    cell: ({ first: { from, to } }) => (
      <Group gap={6}>
        <State state={from} />
        <Text component="span" c="dimmed" aria-label="became">
          →
        </Text>
        <State state={to} />
      </Group>
    ),
  },
  { head: 'By', cell: ({ first }) => <By change={first} />, from: 'sm', fold: true, wraps: true },
];

function Places({ changes }: { changes: InstallationChange[] }): ReactNode {
  const servers = new Map<string, InstallationChange[]>();
  for (const change of changes) servers.set(change.serverId, [...(servers.get(change.serverId) ?? []), change]);
  const places = [...servers.values()].map((ofServer) => <Where key={ofServer[0]?.id} changes={ofServer} />);
  return places.length === 1 ? places : <Fold summary={counted(places.length, 'server')}>{places}</Fold>;
}

const TONES = { authorised: 'good', paused: 'warning', revoked: 'bad' } as const;

/** Names one server with its id, because several can have the same name. */
function Where({ changes }: { changes: InstallationChange[] }): ReactNode {
  const params = useAppScope();
  const [first] = changes;
  if (!first) return null;
  const parts = changes.map(({ scopes }) => (scopes === null ? 'the installation' : scopes.join(', ')));
  return (
    <>
      <AnchorLink
        to="/in/$organisationId/apps/$appId/installations/history"
        params={params}
        search={{ server: first.serverId }}
        resetScroll={false}
      >
        {first.serverName ?? shorten(first.serverId)}
      </AnchorLink>
      <Text c="dimmed" fz="xs">
        {first.serverName !== null && <code>{shorten(first.serverId)}</code>} {parts.join('; ')}
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
