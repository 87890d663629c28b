// Everything that is kept of one request, the problem and what mends it, and the request as a command.
import { Anchor, Drawer, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AppScope, api, type Key, type RequestDetail } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { curl } from '../../kit/curl.ts';
import { useSandbox } from '../../kit/environments.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RequestFacts } from './request-facts.tsx';
import { StatusText } from './status-text.tsx';

interface RequestDrawerProps {
  scope: AppScope;
  keys: Key[];
  requestId: string | undefined;
  onClose: () => void;
}

export function RequestDrawer({ scope, keys, requestId, onClose }: RequestDrawerProps): ReactNode {
  return (
    <Drawer opened={requestId !== undefined} onClose={onClose} position="right" size={640} title="Request">
      {requestId !== undefined && <RequestBody scope={scope} keys={keys} requestId={requestId} />}
    </Drawer>
  );
}

function RequestBody({ scope, keys, requestId }: { scope: AppScope; keys: Key[]; requestId: string }): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.requests(scope), 'one', requestId],
    queryFn: ({ signal }) => api.getRequest({ ...scope, requestId }, { signal }),
    staleTime: Number.POSITIVE_INFINITY, // a record never changes
  });
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={420} radius="sm" />;
  return (
    <Stack>
      <Title order={2} fz={16} style={{ overflowWrap: 'anywhere' }}>
        <StatusText status={data.status} />
        {'\u2002'}
        <Text component="span" ff="monospace" inherit>
          {data.method} {data.path}
        </Text>
      </Title>
      {data.code !== null && <RequestProblem code={data.code} />}
      <RequestFacts request={data} keyName={keys.find((key) => key.id === data.keyId)?.name} />
      {data.errorContext && (
        <CodeBlock label="Problem and what was sent, masked" wraps>
          {JSON.stringify(data.errorContext, null, 2)}
        </CodeBlock>
      )}
      <AsCurl request={data} />
    </Stack>
  );
}

function RequestProblem({ code }: { code: string }): ReactNode {
  const sandbox = useSandbox();
  return (
    <Text>
      Refused with{' '}
      <Text component="span" ff="monospace" fw={600}>
        {code}
      </Text>
      .{' '}
      {sandbox && (
        <Anchor href={`${sandbox.apiUrl}/problems/${code.replaceAll('_', '-')}`} target="_blank" rel="noreferrer">
          What it means and how to mend it
        </Anchor>
      )}
    </Text>
  );
}

function AsCurl({ request }: { request: RequestDetail }): ReactNode {
  const sandbox = useSandbox();
  if (!sandbox) return null;
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(request.method);
  const url = sandbox.apiUrl + request.path + (request.query ? `?${request.query}` : '');
  return (
    <Stack gap={6}>
      <CodeBlock label="As curl" wraps>
        {curl({ method: request.method, url, body: hasBody ? '{}' : undefined })}
      </CodeBlock>
      {hasBody && (
        <Text c="dimmed" fz="xs">
          Bodies of requests are kept only of errors, and masked; put yours in place of {'{}'}.
        </Text>
      )}
    </Stack>
  );
}
