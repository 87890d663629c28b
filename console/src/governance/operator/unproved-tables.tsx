// The requests without a key: those that are kept one by one, and those that are counted. What came from outside is text.
import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../../inspector/requests/requests.module.css';
import { StatusText } from '../../inspector/requests/status-text.tsx';
import type { UnprovedCount, UnprovedRequest } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { grouped } from '../../kit/number.ts';
import { shorten } from '../../kit/shorten.ts';
import { WHEN_WIDTH, When } from '../../kit/when.tsx';
import { type RowProps, rowCount, WindowRows } from '../../kit/window-rows.tsx';

const UNKNOWN = '–';
/** As requests.module.css has it. */
const ROW_PX = 38;

function Mono({ children }: { children: string | null }): ReactNode {
  return (
    <Text ff="monospace" fz={12.5} truncate title={children ?? ''}>
      {children ?? UNKNOWN}
    </Text>
  );
}

export function UnprovedTable({ requests }: { requests: UnprovedRequest[] }): ReactNode {
  return (
    <Table aria-label="Requests without a key" {...rowCount(requests)} layout="fixed" className={classes.table ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" w={72}>
            Status
          </Table.Th>
          <Table.Th scope="col">Request</Table.Th>
          <Table.Th scope="col" w={150} visibleFrom="sm">
            Problem
          </Table.Th>
          <Table.Th scope="col" w={140} visibleFrom="sm">
            From
          </Table.Th>
          <Table.Th scope="col" w={180} visibleFrom="lg">
            Client
          </Table.Th>
          <Table.Th scope="col" w={170} visibleFrom="md">
            Request id
          </Table.Th>
          <Table.Th scope="col" w={WHEN_WIDTH}>
            When
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <WindowRows items={requests} height={ROW_PX}>
        {(request, row) => <UnprovedRow key={request.id} {...row} request={request} />}
      </WindowRows>
    </Table>
  );
}

function UnprovedRow({ request, ...row }: RowProps & { request: UnprovedRequest }): ReactNode {
  const { id, at, status, code, method, path, clientAddress, userAgent } = request;
  const line = [method, path].filter((part) => part !== null).join(' ');
  return (
    <Table.Tr {...row}>
      <Table.Td>
        <StatusText status={status} />
      </Table.Td>
      <Table.Td>
        <Mono>{line === '' ? null : line}</Mono>
        <Text hiddenFrom="sm" c="dimmed" fz="xs" truncate>
          {[code, clientAddress].filter((part) => part !== null).join(', ')}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Mono>{code}</Mono>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Mono>{clientAddress}</Mono>
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <Mono>{userAgent}</Mono>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <CopyId value={id} label="request id" shown={shorten(id)} />
      </Table.Td>
      <Table.Td>
        <When at={at} />
      </Table.Td>
    </Table.Tr>
  );
}

export function UnprovedCounts({ counts }: { counts: UnprovedCount[] }): ReactNode {
  return (
    <Table aria-label="Counted only" layout="fixed" className={classes.table ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" w={96} ta="right">
            Requests
          </Table.Th>
          <Table.Th scope="col">From network</Table.Th>
          <Table.Th scope="col">Problem</Table.Th>
          <Table.Th scope="col" w={WHEN_WIDTH} visibleFrom="sm">
            First
          </Table.Th>
          <Table.Th scope="col" w={WHEN_WIDTH} visibleFrom="sm">
            Last
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {counts.map(({ network, code, requests, firstAt, lastAt }) => (
          <Table.Tr key={`${network} ${code}`}>
            <Table.Td ta="right">{grouped(requests)}</Table.Td>
            <Table.Td>
              <Mono>{network}</Mono>
            </Table.Td>
            <Table.Td>
              <Mono>{code}</Mono>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <When at={firstAt} />
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <When at={lastAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
