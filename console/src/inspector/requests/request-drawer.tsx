// Shows one request in full: result, trace, and ways to repeat it.
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AppScope, api } from '../../kit/api.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { isNotFound } from '../../kit/problem-text.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { SideDrawer } from '../../kit/side-drawer.tsx';
import { ProblemNote } from '../../platform/reference/problem-note.tsx';
import { CapturedRequest } from '../captures/captured-request.tsx';
import { TraceTimeline } from '../traces/trace-timeline.tsx';
import { readContext } from './error-context.ts';
import { isFresh } from './fresh-request.ts';
import { RequestActions } from './request-actions.tsx';
import { RequestFacts } from './request-facts.tsx';
import { RequestSnippets } from './request-snippets.tsx';
import { isScopeProblem, ScopeRefusal } from './scope-refusal.tsx';
import { SentRequest } from './sent-request.tsx';
import { describeUnanswered, isUnanswered, StatusText } from './status-text.tsx';
import { useKeyOfRequest } from './use-key-of-request.ts';

interface RequestDrawerProps {
  scope: AppScope;
  requestId: string | undefined;
  /** True if single keys open the next and the previous request. */
  hasSteps: boolean;
  onClose: () => void;
}

export function RequestDrawer({ scope, requestId, hasSteps, onClose }: RequestDrawerProps): ReactNode {
  return (
    <SideDrawer isOpen={requestId !== undefined} onClose={onClose} title="Request" hasSteps={hasSteps}>
      {/* A new key resets the state: the result of a replay belongs to one request. */}
      {requestId !== undefined && <RequestBody key={requestId} scope={scope} requestId={requestId} />}
    </SideDrawer>
  );
}

/** Limits how long the page waits for a request that the app does not have. */
const MAX_RETRIES = 10;

type RequestBodyProps = Pick<RequestDrawerProps, 'scope'> & { requestId: string };

function RequestBody({ scope, requestId }: RequestBodyProps): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.requests(scope), 'one', requestId],
    queryFn: ({ signal }) => api.getRequest({ ...scope, requestId }, { signal }),
    // A member can open a request before the server has stored it.
    retry: (failures, error) => failures < MAX_RETRIES && isNotFound(error) && isFresh(requestId, Date.now()),
    retryDelay: 500,
    // A capture is stored shortly after the response.
    refetchInterval: ({ state }) => (state.data?.capture.reason === 'pending' ? 1_000 : false),
  });
  const keyOfRequest = useKeyOfRequest(scope, data?.keyId);
  const { key, isPending } = keyOfRequest;
  // Loaded data stays visible if it cannot be read again, because the result of a replay is shown next to it.
  if (!data) return error ? <ProblemAlert error={error} onRetry={() => void refetch()} /> : <DrawerSkeleton />;
  const context = readContext(data);
  return (
    <Stack gap="lg">
      <Title order={2} fz={16} style={{ overflowWrap: 'anywhere' }}>
        <StatusText status={data.status} />
        {'\u2002'}
        <Text component="span" ff="monospace" inherit>
          {data.method} {data.path}
        </Text>
      </Title>
      {isUnanswered(data.status) && <Text>{describeUnanswered(data.status)}</Text>}
      <RequestActions scope={scope} request={data} keyOfRequest={keyOfRequest} context={context} />
      {context && (
        <ProblemNote problem={context.problem}>
          {!isPending && isScopeProblem(data.code) && (
            <ScopeRefusal scope={scope} known={key} code={data.code} request={data} />
          )}
        </ProblemNote>
      )}
      <RequestFacts scope={scope} request={data} keyName={key?.name} />
      <CapturedRequest scope={scope} request={data} problem={context?.problem} />
      {context && <SentRequest context={context} />}
      <TraceTimeline scope={scope} tracedId={requestId} />
      <RequestSnippets scope={scope} requestId={requestId} />
    </Stack>
  );
}

function DrawerSkeleton(): ReactNode {
  return (
    <Stack gap="lg" aria-busy="true" aria-label="Loading" role="status">
      <Skeleton height={22} width="80%" />
      <Skeleton height={30} width={190} />
      <Skeleton height={380} radius="sm" />
      <Skeleton height={120} radius="sm" />
    </Stack>
  );
}
