// Actions of a request: replay it, or share it.

import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconLink, IconRepeat } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { AppScope, RequestDetail } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { TryAnswer } from '../../platform/reference/try-answer.tsx';
import { toAccessSearch } from '../../tenancy/installations/search.ts';
import type { SentRequestContext } from './error-context.ts';
import { ReplayForm } from './replay-form.tsx';
import type { KeyOfRequest } from './use-key-of-request.ts';
import { describeOmittedParts, isMutation, useReplay } from './use-replay.ts';

interface RequestActionsProps {
  scope: AppScope;
  request: RequestDetail;
  /** While it is pending, it is not known whether a replay needs a form. */
  keyOfRequest: KeyOfRequest;
  /** Data of a refused request that the record keeps. */
  context: SentRequestContext | undefined;
}

export function RequestActions({ scope, request, keyOfRequest, context }: RequestActionsProps): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const replay = useReplay(scope, request.id);
  const [isAsking, setAsking] = useState(false);
  const isKnown = request.operationId !== null && request.isPathComplete; // otherwise the record masks the path
  const isReplayable = isKnown && !IS_PRODUCTION;
  // A complete read with an active key needs no form.
  const needsForm =
    isMutation(request.method) || request.maskedParameters.length > 0 || keyOfRequest.key?.state !== 'active';
  const start = (): void => (needsForm ? setAsking((was) => !was) : replay.mutate({}));
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {isReplayable && (
          <GuardedButton
            role={role}
            action="keys.use"
            variant="default"
            size="xs"
            leftSection={<IconRepeat size={15} aria-hidden />}
            loading={keyOfRequest.isPending || (replay.isPending && !isAsking)}
            onClick={start}
          >
            Replay
          </GuardedButton>
        )}
        <CopyLink scope={scope} requestId={request.id} />
        {toAccessSearch({ operation: request.operationId }).operation && (
          <ButtonLink
            to="/in/$organisationId/apps/$appId/installations/access"
            params={scope}
            search={toAccessSearch({ operation: request.operationId, key: request.keyId, server: request.serverId })}
            variant="default"
            size="xs"
          >
            Explain access
          </ButtonLink>
        )}
      </Group>
      {!isReplayable && !IS_PRODUCTION && (
        <Text c="dimmed">
          {request.operationId === null
            ? 'The request matched no operation, so it cannot be replayed.'
            : 'The record does not store the whole path, so the request cannot be replayed.'}
        </Text>
      )}
      {isAsking && (
        <ReplayForm
          scope={scope}
          request={request}
          replay={replay}
          context={context}
          onClose={() => setAsking(false)}
        />
      )}
      {replay.error && <ProblemAlert error={replay.error} />}
      {replay.data && replay.data.omittedParts.length > 0 && (
        <Text c="dimmed">{describeOmittedParts(replay.data.omittedParts)}</Text>
      )}
      {replay.data && <TryAnswer call={replay.data} />}
    </Stack>
  );
}

function CopyLink({ scope, requestId }: { scope: AppScope; requestId: string }): ReactNode {
  const to = '/in/$organisationId/apps/$appId/requests';
  const { href } = useRouter().buildLocation({ to, params: scope, search: { request: requestId } });
  return (
    <CopyButton value={window.location.origin + href} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          size="xs"
          leftSection={copied ? <IconCheck size={15} aria-hidden /> : <IconLink size={15} aria-hidden />}
          onClick={copy}
        >
          {copied ? 'Copied' : 'Copy link'}
        </Button>
      )}
    </CopyButton>
  );
}
