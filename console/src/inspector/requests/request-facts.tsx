// Lists the recorded facts of one request.
import { Group } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { AppScope, RequestDetail } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Fact, FactList } from '../../kit/fact-list.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { counted } from '../../kit/number.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { exactTime } from '../../kit/time.ts';
import { RequestDuration } from './request-duration.tsx';
import { RequestLink } from './request-link.tsx';
import { isUnanswered } from './status-text.tsx';

interface RequestFactsProps {
  scope: AppScope;
  request: RequestDetail;
  keyName: string | undefined;
}

const bytes = (count: number): string => counted(count, 'byte');
const copyable = (value: string | null, label: string): ReactNode =>
  value !== null && value !== '' && <CopyId value={value} label={label} />;

export function RequestFacts({ scope, request, keyName }: RequestFactsProps): ReactNode {
  const { operationId, parentRequestId, originalRequestId, simulated, calledBy, calledByTokenId } = request;
  const facts: Fact[] = [
    ['Request id', copyable(request.id, 'request id')],
    [
      isUnanswered(request.status) ? 'Ended' : 'Answered',
      <Fragment key="at">
        {exactTime(request.at)} (<RelativeTime at={request.at} />)
      </Fragment>,
    ],
    ['Duration', <RequestDuration key="duration" request={request} />],
    [
      'Operation',
      operationId === null ? (
        'none: the path does not exist'
      ) : (
        <AnchorLink
          key="operation"
          to="/in/$organisationId/apps/$appId/reference/$kind/$name"
          params={{ ...scope, kind: 'operations', name: operationId }}
        >
          {operationId}
        </AnchorLink>
      ),
    ],
    ['API version', request.apiVersion],
    ['Query', copyable(request.query, 'query')],
    ['Request size', request.requestBytes === null ? 'no body' : bytes(request.requestBytes)],
    ['Response size', !isUnanswered(request.status) && bytes(request.responseBytes)],
    ['Simulated', simulated && `${simulated}, on request`],
    ['Replay of', parentRequestId && <RequestLink key="parent" scope={scope} requestId={parentRequestId} />],
    ['Replayed by', request.replayIds.length > 0 && <Replays key="replays" scope={scope} ids={request.replayIds} />],
    [
      'Idempotency',
      request.isReplayed && (
        <Fragment key="stored">
          {'stored response of '}
          {originalRequestId === null ? (
            'an earlier request with this key'
          ) : (
            <RequestLink scope={scope} requestId={originalRequestId} />
          )}
        </Fragment>
      ),
    ],
    ['Idempotency hash', copyable(request.idempotencyHash, 'hash of the Idempotency-Key')],
    ['Server id', copyable(request.serverId, 'server id')],
    [
      'Key',
      keyName && (
        <AnchorLink key="name" to="/in/$organisationId/apps/$appId/keys" params={scope}>
          {keyName}
        </AnchorLink>
      ),
    ],
    ['Key id', copyable(request.keyId, 'key id')],
    ['Called by', calledBy && `${calledBy}, ${calledByTokenId === null ? 'in the Console' : 'by an access token'}`],
    ['Access token', copyable(calledByTokenId, 'access token’s id')],
    ['Caller address', copyable(request.clientAddress, 'address')],
    ['User agent', request.userAgent],
    ['Trace id', copyable(request.traceId, 'trace id')],
    ['Caller span', copyable(request.parentSpanId, 'span id')],
  ];
  return <FactList facts={facts} />;
}

function Replays({ scope, ids }: { scope: AppScope; ids: readonly string[] }): ReactNode {
  return (
    <Group gap="4px 12px">
      {ids.map((id) => (
        <RequestLink key={id} scope={scope} requestId={id} />
      ))}
    </Group>
  );
}
