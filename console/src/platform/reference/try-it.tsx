// A request of an operation: sent from here with a key of the app, or copied as a command or code.
import { Button, Divider, Stack, Tabs, Text } from '@mantine/core';
import { SlipwayProblem } from '@slipway/sdk';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { FormEvent, ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { IS_PRODUCTION, useCurrentEnvironment } from '../../kit/environments.ts';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useRefusalReason } from '../../kit/roles.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import type { Operation } from './reference.ts';
import { asCurl, asSdk, toCall } from './request.ts';
import { TryAnswer } from './try-answer.tsx';
import { TryFields } from './try-fields.tsx';
import { TryKey } from './try-key.tsx';
import { type Try, useTry } from './use-try.ts';

export function TryIt({ operation }: { operation: Operation }): ReactNode {
  const attempt = useTry(useAppScope(), operation);
  const sandbox = useCurrentEnvironment();
  const { values, body } = attempt;
  const apiUrl = sandbox?.apiUrl ?? '';
  return (
    <Panel p="sm">
      <Tabs defaultValue={IS_PRODUCTION ? 'curl' : 'try'} keepMounted={false} variant="default">
        <Tabs.List mb="sm">
          {/* Members cannot call the API with production keys from the Console. */}
          {!IS_PRODUCTION && <Tabs.Tab value="try">Try it</Tabs.Tab>}
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          <Tabs.Tab value="sdk">SDK</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="try">
          {operation.path.startsWith('/v1/') ? (
            <TryForm operation={operation} attempt={attempt} />
          ) : (
            <Text>This operation needs no key: open it in a browser, or copy the command.</Text>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="curl">
          <CodeBlock label="curl" wraps maxHeight={520}>
            {asCurl(operation, apiUrl, values, body)}
          </CodeBlock>
        </Tabs.Panel>
        <Tabs.Panel value="sdk">
          <CodeBlock label="SDK" wraps maxHeight={520}>
            {asSdk(operation, apiUrl, values, body)}
          </CodeBlock>
        </Tabs.Panel>
      </Tabs>
    </Panel>
  );
}

function TryForm({ operation, attempt }: { operation: Operation; attempt: Try }): ReactNode {
  const { organisationId } = useAppScope();
  const reason = useRefusalReason(useMembership(organisationId)?.role, 'keys.use');
  const { key, values, body, call } = attempt;
  const send = (literals: string[] = []): void => {
    const made = key && toCall(operation, key.id, values, body);
    if (made && reason === undefined) call.mutate(literals.length > 0 ? { ...made, literals } : made);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  const masks = refusedMasks(call.error);
  return (
    <Stack gap="sm">
      <form onSubmit={submit} aria-label="Try it">
        <Stack gap="xs">
          <TryKey operation={operation} attempt={attempt} />
          <TryFields operation={operation} attempt={attempt} />
          <Button
            type="submit"
            loading={call.isPending}
            disabled={!key || reason !== undefined}
            leftSection={<IconPlayerPlay size={15} aria-hidden />}
          >
            Send in the sandbox
          </Button>
          {reason !== undefined && (
            <Text fz="xs" c="dimmed">
              {reason}
            </Text>
          )}
        </Stack>
      </form>
      {(call.error || call.data) && <Divider />}
      {call.error && <ProblemAlert error={call.error} />}
      {masks.length > 0 && (
        <Button variant="default" onClick={() => send(masks)}>
          Send these texts literally
        </Button>
      )}
      {call.data && <TryAnswer call={call.data} />}
    </Stack>
  );
}

/**
 * Returns pointers of body values that were refused because they look like a mask. The API checks nothing else inside a
 * body here.
 */
function refusedMasks(error: Error | null): string[] {
  if (!(error instanceof SlipwayProblem)) return [];
  return error.errors.map(({ pointer }) => pointer).filter((pointer) => pointer.startsWith('/body/'));
}
