// Asks for the parts that a record does not store, before a mutation or a partly masked request is replayed.
import { Button, Checkbox, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AppScope, RequestDetail } from '../../kit/api.ts';
import { EnvironmentNote } from '../../kit/confirm-dialog.tsx';
import { LoadOlder } from '../../kit/load-older.tsx';
import { Panel } from '../../kit/panel.tsx';
import { useItems } from '../../kit/use-all-pages.ts';
import { useFocusFirstInvalid } from '../../kit/use-first-invalid.ts';
import { pretty } from '../../platform/reference/parts.tsx';
import { useReference } from '../../platform/reference/use-reference.ts';
import { publicText } from '../../tenancy/keys/key-labels.ts';
import { useKeys } from '../../tenancy/keys/use-keys.ts';
import type { SentRequestContext } from './error-context.ts';
import { MaskedFields } from './masked-fields.tsx';
import { QueryField, useReplayQuery } from './replay-query.tsx';
import { isMutation, type Replay } from './use-replay.ts';
import { useReplayBody } from './use-replay-body.ts';

interface ReplayFormProps {
  scope: AppScope;
  request: RequestDetail;
  replay: Replay;
  /** Data of a refused request that the record keeps. */
  context: SentRequestContext | undefined;
  onClose: () => void;
}

export function ReplayForm({ scope, request, replay, context, onClose }: ReplayFormProps): ReactNode {
  const isStored = request.capture.requestBody === 'whole';
  const [sendsStored, setSendsStored] = useState(isStored);
  const hasBody = (request.requestBytes ?? 0) > 0 && !sendsStored;
  const reference = useReference();
  const example = reference.data?.operations.find(({ id }) => id === request.operationId)?.body?.examples[0];
  const body = useReplayBody(request, context?.body, example ? pretty(example.value) : '');
  // The example arrives later, and would change a text that is being typed.
  const awaitsExample = context?.body === undefined && reference.isPending;
  const query = useReplayQuery(request);
  const [tries, setTries] = useState(0);
  const formRef = useFocusFirstInvalid(tries);
  const keys = useKeys(scope);
  const active = keys.loaded?.filter((key) => key.state === 'active') ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const own = useItems(keys, [request.keyId])(request.keyId);
  // Another key is selected only if the key of the request cannot be used.
  const isOwnKnown = request.keyId === null || own !== undefined || (keys.isSuccess && !keys.hasNextPage);
  const key = active.find(({ id }) => id === (chosen ?? request.keyId)) ?? (isOwnKnown ? active[0] : undefined);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTries((count) => count + 1);
    if (!key || (hasBody && body.unfilled.length > 0) || query.unfilled.length > 0) return;
    const { text, literals } = body;
    const sent = hasBody ? { body: text, ...(literals.length > 0 && { literals }) } : {};
    replay.mutate({ keyId: key.id, ...sent, ...(query.isMasked && { query: query.text }) }, { onSuccess: onClose });
  };
  return (
    <Panel p="sm">
      {/* `send` validates empty fields and explains the error. */}
      <form ref={formRef} onSubmit={send} noValidate aria-label="Replay">
        <Stack gap="sm">
          <EnvironmentNote />
          <Text>
            {isMutation(request.method) && `${request.method} can change data again. `}
            Key, scopes and grants are evaluated as of now.
          </Text>
          <QueryField query={query} wasTried={tries > 0} />
          {isStored && (
            <Checkbox
              label="Send the stored body"
              description="The body as it was sent. To send another one, clear this."
              checked={sendsStored}
              onChange={(event) => setSendsStored(event.currentTarget.checked)}
            />
          )}
          {hasBody && <MaskedFields body={body} wasTried={tries > 0} />}
          {hasBody && (
            <Textarea
              label="Body"
              description={
                body.json === undefined ? 'This is not valid JSON. It is sent as it is.' : describeBody(context)
              }
              autosize
              minRows={3}
              maxRows={14}
              spellCheck={false}
              required
              withAsterisk={false}
              disabled={awaitsExample}
              placeholder={awaitsExample ? 'Loading…' : ''}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
              value={body.text}
              onChange={(event) => body.setText(event.currentTarget.value)}
            />
          )}
          <Select
            label="Key"
            placeholder={
              keys.isSuccess && !keys.hasNextPage
                ? 'This app has no active key'
                : isOwnKnown || keys.isError
                  ? 'Select a key'
                  : 'Loading…'
            }
            description="The key is named by its id. No secret is sent."
            inputWrapperOrder={['label', 'input', 'description']}
            allowDeselect={false}
            data={active.map(({ id, name, kid }) => ({ value: id, label: `${name} (${publicText(kid)})` }))}
            value={key?.id ?? null}
            onChange={setChosen}
          />
          <LoadOlder noun="keys" list={keys} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={replay.isPending} disabled={!key || (hasBody && awaitsExample)}>
              Replay in the sandbox
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

function describeBody(context: SentRequestContext | undefined): string {
  if (context?.body === undefined)
    return 'The record does not store the body. This is an example of the contract: replace it with your values.';
  return context.isTruncated
    ? 'The stored body is cut off: add the missing part.'
    : 'This body is sent, with the values that you enter.';
}
