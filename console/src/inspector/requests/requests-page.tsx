// The Request Inspector: calls of the app as a list, over time, and grouped by problem.
import { Group, SegmentedControl, Stack, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { APP_ROUTE, useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../../tenancy/apps/use-app.ts';
import { useInstallations } from '../../tenancy/installations/use-installations.ts';
import { useKeys } from '../../tenancy/keys/use-keys.ts';
import { DeprecatedUses } from './deprecated-uses.tsx';
import { useFilters } from './filters.ts';
import { RequestHistogram } from './histogram.tsx';
import { ProblemGroups } from './problem-groups.tsx';
import { RecordGaps } from './record-gaps.tsx';
import { RequestDrawer } from './request-drawer.tsx';
import { RequestFilters } from './request-filters.tsx';
import { RequestList } from './request-list.tsx';
import { mayBeLive, type RequestsSearch, toRequestsSearch } from './search.ts';

const route = getRouteApi(`${APP_ROUTE}/requests`);

export function RequestsPage(): ReactNode {
  const scope = useAppScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useTitle('Requests', useApp(scope).data?.name);
  const keys = useKeys(scope).items ?? [];
  const servers = (useInstallations(scope).items ?? []).map((one) => ({ id: one.serverId, name: one.serverName }));
  const filters = useFilters(search);
  const change = (next: RequestsSearch): void => void navigate({ search: next, replace: true, resetScroll: false });
  // Adds a history entry, so that the browser's back button returns to the wider range.
  const narrow = (time: { since: string; until: string }): void =>
    void navigate({ search: toRequestsSearch({ ...search, last: undefined, ...time }), resetScroll: false });

  const open = (request: string): void => void navigate({ search: { ...search, request }, resetScroll: false });
  const title = (
    <Title order={2} fz={17}>
      Requests
    </Title>
  );
  const views = <ViewSwitch search={search} onChange={change} />;

  return (
    <Stack gap="sm">
      {search.view === 'deprecated' ? (
        <>
          <Group justify="space-between">
            {title}
            {views}
          </Group>
          <DeprecatedUses scope={scope} />
        </>
      ) : (
        <>
          <RequestFilters title={title} views={views} search={search} keys={keys} servers={servers} onChange={change} />
          <RecordGaps scope={scope} search={search} />
          <RequestHistogram
            scope={scope}
            search={search}
            filters={filters}
            isLive={mayBeLive(search) && search.live !== false}
            onNarrow={narrow}
          />
        </>
      )}
      {search.view === 'problems' && <ProblemGroups scope={scope} search={search} filters={filters} />}
      {search.view === undefined && (
        <RequestList
          key={`${scope.appId} ${JSON.stringify(filters)}`}
          scope={scope}
          search={search}
          filters={filters}
          keys={keys}
          onChange={change}
          onOpen={open}
        />
      )}
      <RequestDrawer
        scope={scope}
        requestId={search.request}
        hasSteps={search.view === undefined}
        onClose={() => void navigate({ search: ({ request: _, ...rest }) => rest, resetScroll: false })}
      />
    </Stack>
  );
}

interface ViewSwitchProps {
  search: RequestsSearch;
  onChange: (search: RequestsSearch) => void;
}

function ViewSwitch({ search, onChange }: ViewSwitchProps): ReactNode {
  return (
    <SegmentedControl
      aria-label="View"
      size="xs"
      data={[
        { value: 'requests', label: 'Requests' },
        { value: 'problems', label: 'By problem' },
        { value: 'deprecated', label: 'Deprecated' },
      ]}
      value={search.view ?? 'requests'}
      onChange={(view) => onChange(toRequestsSearch({ ...search, view }))}
    />
  );
}
