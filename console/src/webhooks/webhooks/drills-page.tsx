// The endpoints of the app, each with its receiver drill.
import { Stack } from '@mantine/core';
import { IconTargetArrow } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppScope, Endpoint } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../../tenancy/apps/use-app.ts';
import { ENDPOINT_PATH } from './endpoint-frame.tsx';
import { EndpointState } from './endpoint-state.tsx';
import { useEndpoints } from './use-endpoints.ts';

export function DrillsPage(): ReactNode {
  const scope = useAppScope();
  useTitle('Drills', useApp(scope).data?.name);
  const endpoints = useEndpoints(scope);
  return (
    <Stack>
      <SectionHead title="Drills">
        A drill sends valid and invalid test messages to the receiver of an endpoint, and reports which ones it handles.
      </SectionHead>
      {endpoints.error && <ProblemAlert error={endpoints.error} onRetry={() => void endpoints.refetch()} />}
      {endpoints.isPending && <RowsSkeleton rows={3} />}
      {endpoints.items?.length === 0 && (
        <EmptyList
          icon={<IconTargetArrow aria-hidden />}
          title="No endpoints yet"
          action={
            <ButtonLink to="/in/$organisationId/apps/$appId/webhooks" params={scope} search={{}} hash="new">
              Add an endpoint
            </ButtonLink>
          }
        >
          Add an endpoint, then test its receiver with a drill.
        </EmptyList>
      )}
      {endpoints.items && endpoints.items.length > 0 && (
        <Panel>
          <DataTable
            label="Endpoints"
            columns={columnsOf(scope)}
            rows={endpoints.items}
            rowKey={({ id }) => id}
            verticalSpacing="sm"
          />
          <LoadMore {...endpoints} />
        </Panel>
      )}
    </Stack>
  );
}

const columnsOf = (scope: AppScope): readonly Column<Endpoint>[] => [
  {
    head: 'Endpoint',
    isMain: true,
    wraps: true,
    cell: ({ id, url }) => (
      <AnchorLink
        to={`${ENDPOINT_PATH}/drill`}
        params={{ ...scope, endpointId: id }}
        search={{}}
        fw={550}
        ff="monospace"
        fz={13}
      >
        {url}
      </AnchorLink>
    ),
  },
  { head: 'Health', w: { base: 130, sm: 150 }, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
];
