// Dense table of audit entries. A click on a row opens the entry; for the keyboard the action does.
import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditEntry } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';
import { useApps } from '../../tenancy/apps/use-app.ts';
import { ACTOR_LABELS, CHAIN_LABELS, describeAction } from './audit-labels.ts';

interface AuditTableProps {
  organisationId: string;
  entries: AuditEntry[];
  onOpen: (entry: AuditEntry) => void;
}

export function AuditTable({ organisationId, entries, onOpen }: AuditTableProps): ReactNode {
  const apps = useApps(organisationId).items;
  const names = new Map(apps?.map(({ id, name }) => [id, name]));
  const columns: Column<AuditEntry>[] = [
    { head: 'Time', w: 128, cell: ({ at }) => <RelativeTime at={at} /> },
    { head: 'Actor', from: 'sm', fold: true, cell: ({ actor }) => <Who actor={actor} /> },
    {
      head: 'Action',
      isMain: true,
      cell: (entry) => (
        <Anchor
          component="button"
          type="button"
          ta="left"
          c="var(--mantine-color-text)"
          title={entry.action}
          onClick={(event) => {
            event.stopPropagation(); // the row would open the entry a second time
            onOpen(entry);
          }}
        >
          {describeAction(entry.action)}
        </Anchor>
      ),
    },
    {
      head: 'Target',
      w: 170,
      from: 'sm',
      cell: ({ target }) => <CopyId value={target} label="target" shown={shorten(target)} />,
    },
    { head: 'App', w: 150, from: 'lg', cell: ({ appId }) => <AppName name={names.get(appId ?? '') ?? appId ?? ''} /> },
    { head: 'In', w: 100, from: 'md', cell: ({ chain }) => CHAIN_LABELS[chain] },
    {
      head: 'Address',
      w: 140,
      from: 'lg',
      cell: ({ clientAddress }) => (
        <Text ff="monospace" fz={12.5} truncate title={clientAddress ?? ''}>
          {clientAddress ?? '–'}
        </Text>
      ),
    },
  ];
  return (
    <DataTable label="Audit log" isDense columns={columns} rows={entries} rowKey={({ id }) => id} onOpen={onOpen} />
  );
}

function AppName({ name }: { name: string }): ReactNode {
  return (
    <Text truncate title={name}>
      {shorten(name)}
    </Text>
  );
}

function Who({ actor: { name, kind } }: Pick<AuditEntry, 'actor'>): ReactNode {
  return (
    <Text component="span" inherit truncate display="block" title={`${name}, ${ACTOR_LABELS[kind]}`}>
      {name}
      {kind !== 'person' && (
        <Text component="span" inherit c="dimmed">
          {' '}
          {ACTOR_LABELS[kind]}
        </Text>
      )}
    </Text>
  );
}
