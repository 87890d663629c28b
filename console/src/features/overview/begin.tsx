// The short way through the first run, for an app that has nothing yet: a key and an endpoint at once, and one command that is seen to
// arrive and to be delivered while one looks.
import { Group, Loader, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { CodeBlock } from '../../kit/code-block.tsx';
import { PLACE, useHere } from '../../kit/environments.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { ShownOnceDialog } from '../../kit/shown-once-dialog.tsx';
import { MAX_DAYS } from '../keys/expiry-input.tsx';
import { useCreateKey } from '../keys/use-keys.ts';
import { useMembership } from '../session/use-session.ts';
import { hooksOf } from '../webhooks/url-input.tsx';
import { useCreateEndpoint } from '../webhooks/use-endpoints.ts';
import type { StepProps } from './step.tsx';
import { useTicketCommand } from './use-ticket-command.ts';

const NAME = 'First key';

export function Begin({ scope, progress }: StepProps): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const receiverUrl = useHere()?.receiverUrl;
  const key = useCreateKey(scope);
  const endpoint = useCreateEndpoint(scope);
  const [isShown, setShown] = useState(false);
  const command = useTicketCommand(scope, key.data?.token);
  const isFresh = progress.keys.length === 0 && !progress.hasEndpoint && !key.data;
  function begin(): void {
    const wish = { name: NAME, scopes: ['servers:read', 'events:read', 'tickets:create'] as const };
    key.mutate(
      { ...wish, scopes: [...wish.scopes], expiresInDays: MAX_DAYS },
      {
        onSuccess: ({ key: { id: keyId } }) => {
          setShown(true);
          const url = hooksOf(receiverUrl ?? '');
          const description = 'The receiver of this installation';
          endpoint.mutate({ url, keyId, eventTypes: ['ticket.created'], description });
        },
      },
    );
  }
  return (
    <>
      {isFresh && receiverUrl && (
        <Panel p={{ base: 'sm', sm: 'md' }}>
          <Group justify="space-between" gap="sm">
            <Text maw={620}>
              The short way: a key with three scopes, an endpoint at this installation’s own receiver, and one command
              that shows both at work.
            </Text>
            <GuardedButton role={role} action="keys.create" loading={key.isPending} onClick={begin}>
              Begin with both
            </GuardedButton>
          </Group>
          {key.error && <ProblemAlert error={key.error} />}
        </Panel>
      )}
      {isShown && key.data && (
        <ShownOnceDialog
          title={`Your key “${NAME}” for ${PLACE}`}
          secret={key.data.token}
          noun="key"
          onClose={() => setShown(false)}
        >
          {endpoint.error && <ProblemAlert error={endpoint.error} />}
          {command && (
            <CodeBlock label="Create a ticket, with this key" wraps>
              {command}
            </CodeBlock>
          )}
          <Stack gap={6} role="status">
            <Arrival isThere={progress.hasCall} waiting="Paste it into a shell: the call appears here.">
              {latestWords(progress.requests[0])}
            </Arrival>
            <Arrival isThere={progress.hasDelivery} waiting="Its event is delivered to the endpoint.">
              ticket.created is delivered: the endpoint has it.
            </Arrival>
          </Stack>
        </ShownOnceDialog>
      )}
    </>
  );
}

const latestWords = (request: StepProps['progress']['requests'][number] | undefined): string =>
  request ? `The call is in the inspector: ${request.method}, answered ${request.status ?? 'nothing'}.` : '';

interface ArrivalProps {
  isThere: boolean;
  waiting: string;
  children: string;
}

function Arrival({ isThere, waiting, children }: ArrivalProps): ReactNode {
  return (
    <Group gap="sm" wrap="nowrap" mih={26}>
      {isThere ? (
        <ThemeIcon radius="xl" size={22} color="teal.9">
          <IconCheck size={14} aria-hidden />
        </ThemeIcon>
      ) : (
        <Loader size={22} type="dots" aria-hidden />
      )}
      <Text {...(!isThere && { c: 'dimmed' })}>{isThere ? children : waiting}</Text>
    </Group>
  );
}
