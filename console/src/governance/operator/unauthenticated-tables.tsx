// Tables of the requests without a key: recorded ones and aggregated ones. External values are shown as text.
import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { StatusText } from '../../inspector/requests/status-text.tsx';
import type { UnauthenticatedCount, UnauthenticatedRequest } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { grouped } from '../../kit/number.ts';
import { RELATIVE_TIME_WIDTH, RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';

const UNKNOWN = '–';

function Mono({ children }: { children: string | null }): ReactNode {
  return (
    <Text ff="monospace" fz={12.5} truncate title={children ?? ''}>
      {children ?? UNKNOWN}
    </Text>
  );
}

const REQUEST_COLUMNS: Column<UnauthenticatedRequest>[] = [
  { head: 'Status', w: 72, cell: ({ status }) => <StatusText status={status} /> },
  {
    head: 'Request',
    isMain: true,
    cell: ({ method, path }) => <Mono>{[method, path].filter((part) => part !== null).join(' ') || null}</Mono>,
  },
  {
    head: 'Problem',
    w: 150,
    from: 'sm',
    fold: ({ code, clientAddress }) => (
      <Text inherit truncate>
        {[code, clientAddress].filter((part) => part !== null).join(', ')}
      </Text>
    ),
    cell: ({ code }) => <Mono>{code}</Mono>,
  },
  { head: 'From', w: 140, from: 'sm', cell: ({ clientAddress }) => <Mono>{clientAddress}</Mono> },
  { head: 'Client', w: 180, from: 'lg', cell: ({ userAgent }) => <Mono>{userAgent}</Mono> },
  {
    head: 'Request id',
    w: 170,
    from: 'md',
    cell: ({ id }) => <CopyId value={id} label="request id" shown={shorten(id)} />,
  },
  { head: 'When', w: RELATIVE_TIME_WIDTH, cell: ({ at }) => <RelativeTime at={at} /> },
];

/** Lists the newest request of each address and problem, with a button that shows the others. */
export function UnauthenticatedRequestTable({ requests }: { requests: UnauthenticatedRequest[] }): ReactNode {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const groups = groupRequests(requests);
  const countOf = new Map([...groups.values()].map((group) => [group[0]?.id, group.length]));
  const toggle = (key: string): void => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  const alike: Column<UnauthenticatedRequest> = {
    head: 'Alike',
    w: 100,
    from: 'sm',
    fold: true,
    cell: (request) => {
      const others = (countOf.get(request.id) ?? 1) - 1;
      const key = groupOf(request);
      return (
        others > 0 && (
          <Button variant="subtle" size="compact-xs" aria-expanded={open.has(key)} onClick={() => toggle(key)}>
            {open.has(key) ? 'Hide' : `${grouped(others)} more`}
          </Button>
        )
      );
    },
  };
  return (
    <DataTable
      label="Requests without a key"
      isDense
      columns={[...REQUEST_COLUMNS, alike]}
      rows={[...groups].flatMap(([key, group]) => (open.has(key) ? group : group.slice(0, 1)))}
      rowKey={({ id }) => id}
    />
  );
}

const groupOf = ({ clientAddress, code }: UnauthenticatedRequest): string => JSON.stringify([clientAddress, code]);

function groupRequests(requests: readonly UnauthenticatedRequest[]): Map<string, UnauthenticatedRequest[]> {
  const groups = new Map<string, UnauthenticatedRequest[]>();
  for (const request of requests) groups.set(groupOf(request), [...(groups.get(groupOf(request)) ?? []), request]);
  return groups;
}

const COUNT_COLUMNS: Column<UnauthenticatedCount>[] = [
  { head: 'Requests', w: 96, align: 'right', cell: ({ requests }) => grouped(requests) },
  { head: 'Network', cell: ({ network }) => <Mono>{network}</Mono> },
  { head: 'Problem', cell: ({ code }) => <Mono>{code}</Mono> },
  { head: 'First', w: RELATIVE_TIME_WIDTH, from: 'sm', cell: ({ firstAt }) => <RelativeTime at={firstAt} /> },
  { head: 'Last', w: RELATIVE_TIME_WIDTH, from: 'sm', cell: ({ lastAt }) => <RelativeTime at={lastAt} /> },
];

export function UnauthenticatedCountTable({ counts }: { counts: UnauthenticatedCount[] }): ReactNode {
  return (
    <DataTable
      label="Counted requests"
      isDense
      columns={COUNT_COLUMNS}
      rows={counts}
      rowKey={({ network, code }) => `${network} ${code}`}
    />
  );
}
