// The dense table of entries. A row opens what else is kept of its entry; with the keyboard, its action does.
import { Anchor, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditEntry } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { shorten } from '../../kit/shorten.ts';
import { When } from '../../kit/when.tsx';
import { type RowProps, rowCount, WindowRows } from '../../kit/window-rows.tsx';
import { useApps } from '../../tenancy/apps/use-app.ts';
import classes from '../requests/requests.module.css';
import { ACTOR_WORDS, actionWords, CHAIN_WORDS } from './audit-words.ts';

interface AuditTableProps {
  organisationId: string;
  entries: AuditEntry[];
  onOpen: (entry: AuditEntry) => void;
}

/** As requests.module.css has it. */
const ROW_PX = 38;

export function AuditTable({ organisationId, entries, onOpen }: AuditTableProps): ReactNode {
  const apps = useApps(organisationId).items ?? [];
  return (
    <Table aria-label="Audit log" {...rowCount(entries)} layout="fixed" className={classes.table ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" w={128}>
            When
          </Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            Who
          </Table.Th>
          <Table.Th scope="col">What</Table.Th>
          <Table.Th scope="col" w={170} visibleFrom="sm">
            To what
          </Table.Th>
          <Table.Th scope="col" w={150} visibleFrom="lg">
            App
          </Table.Th>
          <Table.Th scope="col" w={100} visibleFrom="md">
            In
          </Table.Th>
          <Table.Th scope="col" w={140} visibleFrom="lg">
            From
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <WindowRows items={entries} height={ROW_PX}>
        {(entry, row) => (
          <AuditRow
            key={entry.id}
            {...row}
            entry={entry}
            app={apps.find(({ id }) => id === entry.appId)?.name ?? entry.appId ?? ''}
            onOpen={() => onOpen(entry)}
          />
        )}
      </WindowRows>
    </Table>
  );
}

interface AuditRowProps extends RowProps {
  entry: AuditEntry;
  app: string;
  onOpen: () => void;
}

function AuditRow({ entry, app, onOpen, ...row }: AuditRowProps): ReactNode {
  const { at, actor, action, target, chain, clientAddress } = entry;
  return (
    <Table.Tr {...row} className={classes.row ?? ''} onClick={onOpen}>
      <Table.Td>
        <When at={at} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Who actor={actor} />
      </Table.Td>
      <Table.Td>
        <Anchor
          component="button"
          type="button"
          ta="left"
          c="var(--mantine-color-text)"
          title={action}
          onClick={(event) => {
            event.stopPropagation(); // the row would open it a second time
            onOpen();
          }}
        >
          {actionWords(action)}
        </Anchor>
        <Text hiddenFrom="sm" component="div" c="dimmed" fz="xs">
          <Who actor={actor} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <CopyId value={target} label="target" shown={shorten(target)} />
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <Text truncate title={app}>
          {shorten(app)}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">{CHAIN_WORDS[chain]}</Table.Td>
      <Table.Td visibleFrom="lg">
        <Text ff="monospace" fz={12.5} truncate title={clientAddress ?? ''}>
          {clientAddress ?? '–'}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function Who({ actor: { name, kind } }: Pick<AuditEntry, 'actor'>): ReactNode {
  return (
    <Text component="span" inherit truncate display="block" title={`${name}, ${ACTOR_WORDS[kind]}`}>
      {name}
      {kind !== 'person' && (
        <Text component="span" inherit c="dimmed">
          {' '}
          {ACTOR_WORDS[kind]}
        </Text>
      )}
    </Text>
  );
}
