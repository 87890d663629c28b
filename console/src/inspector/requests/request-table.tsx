// The dense table of requests. A row opens its drawer; with the keyboard, its path does.
import { Table, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import type { AppScope, Key, RequestRecord } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { shorten } from '../../kit/shorten.ts';
import { formatMs } from '../../kit/time.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { When } from '../../kit/when.tsx';
import { type RowProps, rowCount, WindowRows } from '../../kit/window-rows.tsx';
import classes from './requests.module.css';
import type { RequestsSearch } from './search.ts';
import { StatusText } from './status-text.tsx';

interface RequestTableProps {
  requests: RequestRecord[];
  keys: Key[];
  search: RequestsSearch;
}

/** As requests.module.css has it. */
const ROW_PX = 38;

export function RequestTable({ requests, keys, search }: RequestTableProps): ReactNode {
  const scope = useAppScope();
  return (
    <Table aria-label="Requests" {...rowCount(requests)} layout="fixed" className={classes.table ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" w={76}>
            Status
          </Table.Th>
          <Table.Th scope="col" w={82} visibleFrom="sm">
            Method
          </Table.Th>
          <Table.Th scope="col">Path</Table.Th>
          <Table.Th scope="col" w={90} ta="right" visibleFrom="sm">
            Duration
          </Table.Th>
          <Table.Th scope="col" w={170} visibleFrom="md">
            Problem
          </Table.Th>
          <Table.Th scope="col" w={140} visibleFrom="md">
            Key
          </Table.Th>
          <Table.Th scope="col" w={128}>
            Time
          </Table.Th>
          <Table.Th scope="col" w={150} visibleFrom="lg">
            Request id
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <WindowRows items={requests} height={ROW_PX}>
        {(one, row) => (
          <RequestRow
            key={one.id}
            {...row}
            request={one}
            keyName={keys.find((key) => key.id === one.keyId)?.name}
            search={search}
            scope={scope}
          />
        )}
      </WindowRows>
    </Table>
  );
}

interface RequestRowProps extends RowProps {
  request: RequestRecord;
  keyName: string | undefined;
  search: RequestsSearch;
  scope: AppScope;
}

const RequestRow = memo(function RequestRow({ request, keyName, search, scope, ...row }: RequestRowProps): ReactNode {
  const navigate = useNavigate();
  const to = '/in/$organisationId/apps/$appId/requests';
  const open = { search: { ...search, request: request.id }, resetScroll: false };
  return (
    <Table.Tr
      {...row}
      className={classes.row ?? ''}
      data-open={search.request === request.id || undefined}
      onClick={() => void navigate({ to, params: scope, ...open })}
    >
      <Table.Td>
        <StatusText status={request.status} />
      </Table.Td>
      <Table.Td visibleFrom="sm" ff="monospace" fz={13}>
        {request.method}
      </Table.Td>
      <Table.Td>
        <Link
          to={to}
          params={scope}
          {...open}
          className={classes.path ?? ''}
          title={request.path}
          onClick={(event) => event.stopPropagation()}
        >
          <Text component="span" hiddenFrom="sm" inherit>
            {request.method}{' '}
          </Text>
          {shorten(request.path)}
        </Link>
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {formatMs(request.durationMs)}
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text ff="monospace" fz={12.5} truncate>
          {request.code ?? ''}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text truncate title={keyName ?? request.keyId ?? ''}>
          {keyName ?? request.keyId ?? ''}
        </Text>
      </Table.Td>
      <Table.Td>
        <When at={request.at} />
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <CopyId value={request.id} label="request id" shown={shorten(request.id)} />
      </Table.Td>
    </Table.Tr>
  );
});
