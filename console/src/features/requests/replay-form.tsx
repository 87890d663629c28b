// Asks before a request that changes something is made again: names the environment, and takes what the record does not hold.
import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Key, RequestDetail } from '../../kit/api.ts';
import { EnvironmentNote } from '../../kit/confirm-dialog.tsx';
import { Panel } from '../../kit/panel.tsx';
import { publicText } from '../keys/key-words.ts';
import { pretty } from '../reference/parts.tsx';
import { useReference } from '../reference/use-reference.ts';
import type { Replay } from './use-replay.ts';

interface ReplayFormProps {
  request: RequestDetail;
  keys: Key[];
  replay: Replay;
  /** What is kept of the body. */
  keptBody: string | undefined;
  onClose: () => void;
}

export function ReplayForm({ request, keys, replay, keptBody, onClose }: ReplayFormProps): ReactNode {
  const hasBody = (request.requestBytes ?? 0) > 0;
  const example = useReference().data?.operations.find(({ id }) => id === request.operationId)?.body?.examples[0];
  const [typed, setTyped] = useState<string>();
  const body = typed ?? keptBody ?? (example ? pretty(example.value) : '');
  const active = keys.filter((key) => key.state === 'active');
  const [chosen, setChosen] = useState<string | null>(null);
  const key = active.find(({ id }) => id === (chosen ?? request.keyId)) ?? active[0];
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (key) replay.mutate({ keyId: key.id, ...(hasBody && { body }) }, { onSuccess: onClose });
  };
  return (
    <Panel p="sm">
      <form onSubmit={send} aria-label="Replay">
        <Stack gap="sm">
          <EnvironmentNote />
          <Text>
            {request.method} may change something there once more. Key, scopes and what the server allows are judged as
            of now.
          </Text>
          {hasBody && (
            <Textarea
              label="Body"
              description={
                keptBody === undefined
                  ? 'The record does not keep what was sent. This is an example of the contract: put in yours.'
                  : 'As far as the record keeps it, masked: put in what is missing.'
              }
              autosize
              minRows={3}
              maxRows={14}
              spellCheck={false}
              required
              withAsterisk={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
              value={body}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          <Select
            label="Key"
            placeholder="This app has no active key"
            description="By its id; no secret is sent."
            inputWrapperOrder={['label', 'input', 'description']}
            allowDeselect={false}
            data={active.map(({ id, name, kid }) => ({ value: id, label: `${name} (${publicText(kid)})` }))}
            value={key?.id ?? null}
            onChange={setChosen}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={replay.isPending} disabled={!key}>
              Replay in the sandbox
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
