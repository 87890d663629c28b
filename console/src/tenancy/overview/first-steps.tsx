// Quick start of an app without keys: creates a key and an endpoint, and shows a command. The page shows live when its
// call arrives and its event is delivered.
import { Button, Group, Loader, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { firstCall } from '../../kit/curl.ts';
import { ENVIRONMENT_PHRASE, useCurrentEnvironment } from '../../kit/environments.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { FIRST_KEY_SCOPES } from '../../kit/scopes.ts';
import { ShownOnceDialog } from '../../kit/shown-once-dialog.tsx';
import { FIRST_EVENT_TYPES } from '../../webhooks/webhooks/event-types.ts';
import { isListener, listenCommand } from '../../webhooks/webhooks/listener.tsx';
import { UrlInput } from '../../webhooks/webhooks/url-input.tsx';
import { useCreateEndpoint } from '../../webhooks/webhooks/use-endpoints.ts';
import { MAX_DAYS } from '../keys/expiry-input.tsx';
import { useCreateKey } from '../keys/use-keys.ts';
import { type ReceiverChoice, ReceiverPanel } from './receiver-panel.tsx';
import type { StepProps } from './step.tsx';
import { CREATION, useCreationCommand } from './use-creation-command.ts';

const NAME = 'First key';
const TRIGGER = 'Trigger an event under Simulation.';
const DELIVERED = 'The event is delivered to the endpoint.';

export function FirstSteps({ scope, progress }: StepProps): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const here = useCurrentEnvironment();
  const key = useCreateKey(scope);
  const endpoint = useCreateEndpoint(scope);
  const [isShown, setShown] = useState(false);
  const creation = useCreationCommand(scope, key.data?.token);
  // If each creation needs an identifier of the app, the first call is a read, and a trigger emits the first event.
  const read = CREATION || !here ? undefined : firstCall(here.apiUrl, FIRST_KEY_SCOPES, key.data?.token);
  const command = creation ?? read;
  const isFresh = progress.keys.length === 0 && !progress.hasEndpoint && !key.data;
  function begin({ url, description }: ReceiverChoice): void {
    key.mutate(
      { name: NAME, scopes: [...FIRST_KEY_SCOPES], expiresInDays: MAX_DAYS },
      {
        onSuccess: ({ key: { id: keyId } }) => {
          setShown(true);
          if (url !== undefined) endpoint.mutate({ url, keyIds: [keyId], eventTypes: FIRST_EVENT_TYPES, description });
        },
      },
    );
  }
  return (
    <>
      {isFresh && here && (
        <ReceiverPanel role={role} receiverUrl={here.receiverUrl} isPending={key.isPending} onBegin={begin}>
          {key.error && <ProblemAlert error={key.error} />}
        </ReceiverPanel>
      )}
      {isShown && key.data && (
        <ShownOnceDialog
          title={`Your key “${NAME}” for ${ENVIRONMENT_PHRASE}`}
          secret={key.data.token}
          noun="key"
          onClose={() => setShown(false)}
        >
          {endpoint.error && endpoint.variables && (
            <OtherUrl
              refused={endpoint.variables.url}
              error={endpoint.error}
              onTry={(url) => endpoint.variables && endpoint.mutate({ ...endpoint.variables, url })}
            />
          )}
          {endpoint.isPending && (
            <div role="status">
              <Arrival isThere={false} waiting="The endpoint is being added." />
            </div>
          )}
          {!endpoint.isPending && !endpoint.error && (
            <FirstCall command={command} progress={progress} url={endpoint.data?.endpoint.url} />
          )}
        </ShownOnceDialog>
      )}
    </>
  );
}

interface FirstCallProps {
  command: string | undefined;
  progress: StepProps['progress'];
  /** Address of the endpoint; undefined without one. */
  url: string | undefined;
}

/** Shown only after the endpoint exists: the event of an earlier call would not be delivered to it. */
function FirstCall({ command, progress, url }: FirstCallProps): ReactNode {
  return (
    <>
      {url !== undefined && isListener(url) && (
        <CodeBlock label="Receive on your machine" wraps>
          {listenCommand(url)}
        </CodeBlock>
      )}
      {command && (
        <CodeBlock label={CREATION?.label ?? 'curl'} wraps>
          {command}
        </CodeBlock>
      )}
      <Stack gap={6} role="status">
        <Arrival isThere={progress.hasCall} waiting="Paste it into a shell. The call appears here.">
          {describeLatestCall(progress.requests[0])}
        </Arrival>
        {url !== undefined && (
          <Arrival isThere={progress.hasDelivery} waiting={CREATION ? DELIVERED : `${TRIGGER} ${DELIVERED}`}>
            {CREATION ? `${CREATION.event} was delivered to the endpoint.` : 'An event was delivered to the endpoint.'}
          </Arrival>
        )}
      </Stack>
    </>
  );
}

interface OtherUrlProps {
  refused: string;
  error: Error;
  onTry: (url: string) => void;
}

/** The key exists before its endpoint, so the user can correct the address without leaving the dialog. */
function OtherUrl({ refused, error, onTry }: OtherUrlProps): ReactNode {
  const [url, setUrl] = useState(refused);
  const urlError = fieldError(error, '/url');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onTry(url);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <ProblemAlert error={error} fields={['/url']} />
        <UrlInput value={url} onChange={setUrl} error={urlError} />
        <Button type="submit" variant="default" w="fit-content">
          Add the endpoint
        </Button>
      </Stack>
    </form>
  );
}

const describeLatestCall = (request: StepProps['progress']['requests'][number] | undefined): string =>
  request
    ? `The call is in the inspector: ${request.method}, ${request.status === null ? 'no response' : `answered ${request.status}`}.`
    : '';

interface ArrivalProps {
  isThere: boolean;
  waiting: string;
  children?: string;
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
