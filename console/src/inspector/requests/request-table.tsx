// Dense table of requests. A click on a row opens its drawer; for the keyboard the path does.
import { Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { Key, RequestRecord } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';
import { formatMs } from '../../kit/time.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import classes from './requests.module.css';
import type { RequestsSearch } from './search.ts';
import { StatusText } from './status-text.tsx';

interface RequestTableProps {
  requests: RequestRecord[];
  keys: Key[];
  search: RequestsSearch;
}

export function RequestTable({ requests, keys, search }: RequestTableProps): ReactNode {
  const { organisationId, appId } = useAppScope();
  const navigate = useNavigate();
  // Memoised: a live list would render each of its rows again with each new request.
  const { columns, onOpen } = useMemo(() => {
    const nameOf = ({ keyId }: RequestRecord): string => keys.find(({ id }) => id === keyId)?.name ?? keyId ?? '';
    const toRequest = (id: string) =>
      ({
        to: '/in/$organisationId/apps/$appId/requests',
        params: { organisationId, appId },
        search: { ...search, request: id },
        resetScroll: false,
      }) as const;
    const list: Column<RequestRecord>[] = [
      { head: 'Status', w: 76, cell: ({ status }) => <StatusText status={status} /> },
      { head: 'Method', w: 82, from: 'sm', isMono: true, cell: ({ method }) => method },
      {
        head: 'Path',
        isMain: true,
        cell: ({ id, method, path }) => (
          <Link
            {...toRequest(id)}
            className={classes.path ?? ''}
            title={path}
            onClick={(event) => event.stopPropagation()}
          >
            <Text component="span" hiddenFrom="sm" inherit>
              {method}{' '}
            </Text>
            {shorten(path)}
          </Link>
        ),
      },
      { head: 'Duration', w: 90, align: 'right', from: 'sm', cell: ({ durationMs }) => formatMs(durationMs) },
      {
        head: 'Problem',
        w: 170,
        from: 'md',
        cell: ({ code }) => (
          <Text ff="monospace" fz={12.5} truncate>
            {code ?? ''}
          </Text>
        ),
      },
      {
        head: 'Key',
        w: 140,
        from: 'md',
        cell: (request) => (
          <Text truncate title={nameOf(request)}>
            {nameOf(request)}
          </Text>
        ),
      },
      { head: 'Time', w: 128, cell: ({ at }) => <RelativeTime at={at} /> },
      {
        head: 'Request id',
        w: 150,
        from: 'lg',
        cell: ({ id }) => <CopyId value={id} label="request id" shown={shorten(id)} />,
      },
    ];
    return { columns: list, onOpen: ({ id }: RequestRecord) => void navigate(toRequest(id)) };
  }, [keys, search, organisationId, appId, navigate]);
  return (
    <DataTable
      label="Requests"
      isDense
      columns={columns}
      rows={requests}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      isOpen={({ id }) => search.request === id}
    />
  );
}
