// Dense table of objects of one kind. A click on a row opens its drawer; for the keyboard the title does.
import { Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import classes from '../../inspector/requests/requests.module.css';
import type { AppScope, WorldObject } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { RELATIVE_TIME_WIDTH, RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';
import { Tag } from '../../kit/state-badge.tsx';
import { KINDS, type ObjectKind } from './kinds.ts';
import type { DataSearch } from './search.ts';

interface ObjectTableProps {
  objects: WorldObject[];
  kind: ObjectKind;
  scope: AppScope;
  search: DataSearch;
  serverName: (serverId: string) => string;
}

export function ObjectTable({ objects, kind, scope, search, serverName }: ObjectTableProps): ReactNode {
  const navigate = useNavigate();
  const { organisationId, appId } = scope;
  const { columns, onOpen } = useMemo(() => {
    const toObject = (id: string) =>
      ({
        to: '/in/$organisationId/apps/$appId/data',
        params: { organisationId, appId },
        search: { ...search, object: id },
        resetScroll: false,
      }) as const;
    const isServer = kind === 'server';
    const list: Column<WorldObject>[] = [
      {
        head: isServer ? 'Name' : 'Title',
        isMain: true,
        cell: ({ id, title }) => (
          <Link
            {...toObject(id)}
            className={classes.path ?? ''}
            title={title}
            style={{ fontFamily: 'inherit' }}
            onClick={(event) => event.stopPropagation()}
          >
            {title}
          </Link>
        ),
      },
      ...(isServer
        ? []
        : ([
            {
              head: 'Status',
              w: 130,
              from: 'sm',
              fold: true,
              cell: ({ status }) => status && <StatusTag status={status} />,
            },
            {
              head: 'Server',
              w: 220,
              from: 'md',
              cell: ({ serverId }) => (
                <Text truncate title={serverName(serverId)}>
                  {serverName(serverId)}
                </Text>
              ),
            },
          ] satisfies Column<WorldObject>[])),
      { head: 'Created', w: RELATIVE_TIME_WIDTH, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
      {
        head: 'Identifier',
        w: 160,
        from: 'lg',
        cell: ({ id }) => <CopyId value={id} label="object id" shown={shorten(id)} />,
      },
    ];
    return { columns: list, onOpen: ({ id }: WorldObject) => void navigate(toObject(id)) };
  }, [kind, search, serverName, organisationId, appId, navigate]);
  return (
    <DataTable
      label={KINDS[kind].plural}
      isDense
      columns={columns}
      rows={objects}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      isOpen={({ id }) => search.object === id}
    />
  );
}

const StatusTag = ({ status }: { status: string }): ReactNode => <Tag>{status.replaceAll('_', ' ')}</Tag>;
