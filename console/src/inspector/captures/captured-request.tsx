// The stored headers and bodies of a request: shown after a click, because the audit log records it.
import { Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { type AppScope, api, type Capture, type RequestDetail } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Tag } from '../../kit/state-badge.tsx';
import type { AnsweredProblem } from '../../platform/reference/problem-note.tsx';
import { useApp, useChangeApp } from '../../tenancy/apps/use-app.ts';
import { describeBodyState, describeMissing } from './capture-texts.ts';
import { CapturedBody } from './captured-body.tsx';
import { errorsInResponse } from './errors-in-response.ts';

interface CapturedRequestProps {
  scope: AppScope;
  request: RequestDetail;
  problem: AnsweredProblem | undefined;
}

export function CapturedRequest({ scope, request, problem }: CapturedRequestProps): ReactNode {
  const { data: app } = useApp(scope);
  const role = useMembership(scope.organisationId)?.role;
  const reveal = useMutation({ mutationFn: () => api.revealCapture({ ...scope, requestId: request.id }) });
  const { capture } = request;
  const shown = reveal.data?.status.state === 'kept' ? reveal.data : undefined;
  // Production, and a sandbox whose operator forbids captures.
  if (!app || (!app.canCaptureBodies && capture.state !== 'kept')) return null;
  return (
    <Stack gap="xs" role="region" aria-label="Headers and bodies">
      <Title order={3} fz={14.5}>
        Headers and bodies
      </Title>
      {capture.state === 'kept' && capture.expiresAt !== null && (
        <Text c="dimmed" fz="xs">
          Stored sealed, with credentials masked. They expire <RelativeTime at={capture.expiresAt} />.
          {shown ? ' The audit log records that you have seen them.' : ' The audit log will record that you saw them.'}
        </Text>
      )}
      {capture.state !== 'kept' && <Text>{describeMissing(capture)}</Text>}
      {capture.state !== 'kept' && !app.capturesBodies && <BeginCaptures scope={scope} />}
      {capture.state === 'kept' && !shown && (
        <GuardedButton
          role={role}
          action="requests.reveal"
          variant="default"
          size="xs"
          w="fit-content"
          loading={reveal.isPending}
          onClick={() => reveal.mutate()}
        >
          Show headers and bodies
        </GuardedButton>
      )}
      {reveal.data && !shown && <Text>{describeMissing(reveal.data.status)}</Text>}
      {reveal.error && <ProblemAlert error={reveal.error} />}
      {shown && <Messages capture={shown} problem={problem} />}
    </Stack>
  );
}

/** Stores the headers and bodies of later requests. */
function BeginCaptures({ scope }: { scope: AppScope }): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const queries = useQueryClient();
  const begin = useChangeApp(scope, () => api.updateApp({ ...scope, body: { capturesBodies: true } }));
  return (
    <>
      <GuardedButton
        role={role}
        action="apps.change"
        variant="default"
        size="xs"
        w="fit-content"
        loading={begin.isPending}
        onClick={() =>
          begin.mutate(undefined, {
            onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.requests(scope) }),
          })
        }
      >
        Store them from now on
      </GuardedButton>
      {begin.error && <ProblemAlert error={begin.error} />}
    </>
  );
}

function Messages({ capture, problem }: { capture: Capture; problem: AnsweredProblem | undefined }): ReactNode {
  const { status, request, response, snippets } = capture;
  // The record has `*` in place of a name that the contract does not know.
  const errors = problem && (errorsInResponse(response?.body) ?? problem.errors);
  return (
    <>
      <Message title="Request" message={request} state={status.requestBody} errors={errors} />
      <Message title="Response" message={response} state={status.responseBody} />
      {snippets && status.requestBody === 'whole' && (
        <CodeBlock label="As curl, with the real body" wraps>
          {snippets.curl}
        </CodeBlock>
      )}
    </>
  );
}

interface MessageProps {
  title: 'Request' | 'Response';
  message: Capture['request'];
  state: Capture['status']['requestBody'];
  errors?: AnsweredProblem['errors'] | undefined;
}

function Message({ title, message, state, errors = [] }: MessageProps): ReactNode {
  if (!message) return null;
  const note = describeBodyState(state);
  const headers = Object.entries(message.headers);
  return (
    <>
      <Group gap="xs">
        <Title order={4} fz={13}>
          {title}
        </Title>
        {note !== undefined && <Tag>{note}</Tag>}
      </Group>
      {headers.length > 0 && (
        <CodeBlock label={`Headers of the ${title.toLowerCase()}`} wraps maxHeight={180}>
          {headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        </CodeBlock>
      )}
      {message.body !== null && (
        <CapturedBody label={`Body of the ${title.toLowerCase()}`} body={message.body} errors={errors} />
      )}
    </>
  );
}
