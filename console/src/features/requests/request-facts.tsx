// The facts of one request, each as it was kept.
import { DataList } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { RequestDetail } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { exactTime, formatMs } from '../../kit/time.ts';
import { When } from '../../kit/when.tsx';

interface RequestFactsProps {
  request: RequestDetail;
  keyName: string | undefined;
}

const bytes = (count: number): string => `${count.toLocaleString('en')} bytes`;

function durationOf({ durationMs, authorityMs, operationMs }: RequestDetail): string {
  const operation = operationMs === null ? '' : ` and ${formatMs(operationMs)} the operation`;
  return `${formatMs(durationMs)}, of which ${formatMs(authorityMs)} to confirm access${operation}`;
}

export function RequestFacts({ request, keyName }: RequestFactsProps): ReactNode {
  const facts: [string, ReactNode][] = [
    ['Request id', <CopyId key="id" value={request.id} label="request id" />],
    [
      'Answered',
      <Fragment key="at">
        {exactTime(request.at)} (<When at={request.at} />)
      </Fragment>,
    ],
    ['Operation', request.operationId ?? 'none: there is no such path'],
    ['Duration', durationOf(request)],
    ['Query', request.query && <CopyId key="query" value={request.query} label="query" />],
    ['Server id', request.serverId && <CopyId key="server" value={request.serverId} label="server id" />],
    ['Request’s size', request.requestBytes && bytes(request.requestBytes)],
    ['Answer’s size', bytes(request.responseBytes)],
    ['Idempotency', request.isReplayed ? 'the stored answer of an earlier request' : null],
    ['Repeats', request.parentRequestId && <CopyId key="parent" value={request.parentRequestId} label="request id" />],
    ['Key', keyName],
    ['Key id', request.keyId && <CopyId key="key" value={request.keyId} label="key id" />],
    ['Called by', request.calledBy && `${request.calledBy}, in the Console`],
    ['Caller’s address', request.clientAddress],
    ['User agent', request.userAgent],
    ['Trace id', request.traceId && <CopyId key="trace" value={request.traceId} label="trace id" />],
  ];
  return (
    <DataList labelWidth={130} gap={6}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue miw={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </DataList.ItemValue>
          </DataList.Item>
        ))}
    </DataList>
  );
}
