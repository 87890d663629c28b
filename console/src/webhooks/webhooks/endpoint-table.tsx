// Table of endpoints: address, health, success rate and last failure. Details are on the page of each endpoint.
import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AppScope, Endpoint } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { counted } from '../../kit/number.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { ENDPOINT_PATH } from './endpoint-frame.tsx';
import { EndpointState } from './endpoint-state.tsx';
import { formatPercent } from './health-labels.ts';

export function EndpointTable({ scope, endpoints }: { scope: AppScope; endpoints: Endpoint[] }): ReactNode {
  const navigate = useNavigate();
  const columns: Column<Endpoint>[] = [
    {
      head: 'Endpoint',
      isMain: true,
      wraps: true,
      cell: (endpoint) => (
        <>
          <AnchorLink
            to={ENDPOINT_PATH}
            params={{ ...scope, endpointId: endpoint.id }}
            search={{}}
            fw={550}
            ff="monospace"
            fz={13}
            onClick={(event) => event.stopPropagation()}
          >
            {endpoint.url}
          </AnchorLink>
          {endpoint.description !== '' && (
            <Text c="dimmed" fz="xs">
              {endpoint.description}
            </Text>
          )}
        </>
      ),
    },
    { head: 'Health', w: { base: 130, sm: 150 }, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    {
      head: 'Success rate',
      w: 140,
      align: 'right',
      from: 'sm',
      fold: ({ health }) => health.successRate !== null && `Success rate: ${formatPercent(health.successRate)}`,
      cell: ({ health }) => (health.successRate === null ? '–' : formatPercent(health.successRate)),
    },
    {
      head: 'Last failure',
      w: 150,
      from: 'sm',
      fold: ({ health }) => health.lastFailureAt && <RelativeTime at={health.lastFailureAt} prefix="Last failure: " />,
      cell: ({ health }) => (health.lastFailureAt ? <RelativeTime at={health.lastFailureAt} /> : 'never'),
    },
    {
      head: 'Event types',
      w: 160,
      from: 'md',
      cell: ({ eventTypes }) => (
        <Text truncate title={eventTypes.join(', ')}>
          {describeTypes(eventTypes)}
        </Text>
      ),
    },
  ];
  return (
    <DataTable
      label="Endpoints"
      columns={columns}
      rows={endpoints}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: ENDPOINT_PATH, params: { ...scope, endpointId: id }, search: {} })}
    />
  );
}

function describeTypes(types: Endpoint['eventTypes']): string {
  if (types.includes('*')) return 'every type';
  return types.length === 1 ? String(types[0]) : counted(types.length, 'type');
}
