// Generates a key: first the wishes, then its text, this once, with a command that works when it is pasted.
import { Button, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AppScope, Scope } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { firstCall } from '../../kit/curl.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { useSandbox } from '../../kit/environments.ts';
import { fieldError } from '../../kit/mends.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { ShownOnceDialog } from '../../kit/shown-once-dialog.tsx';
import { exactTime } from '../../kit/time.ts';
import { ScopePicker } from './scope-picker.tsx';
import { useCreateKey } from './use-keys.ts';

const MAX_DAYS = 30;
const DAY_MS = 86_400_000;

interface GenerateKeyProps {
  scope: AppScope;
  onClose: () => void;
}

export function GenerateKey({ scope, onClose }: GenerateKeyProps): ReactNode {
  const create = useCreateKey(scope);
  const sandbox = useSandbox();
  if (!create.data) return <KeyForm create={create} onClose={onClose} />;

  const { key, token } = create.data;
  return (
    <ShownOnceDialog title={`Your key “${key.name}” for the sandbox`} secret={token} noun="key" onClose={onClose}>
      <Text c="dimmed">It expires on {exactTime(key.expiresAt)}. That is fixed and cannot be moved.</Text>
      {sandbox && (
        <CodeBlock label="First call, with this key" wraps>
          {firstCall(sandbox.apiUrl, key.scopes, token)}
        </CodeBlock>
      )}
    </ShownOnceDialog>
  );
}

function KeyForm({ create, onClose }: { create: ReturnType<typeof useCreateKey>; onClose: () => void }): ReactNode {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>([]);
  const [days, setDays] = useState<number | string>(MAX_DAYS);
  const [wasTried, setTried] = useState(false);
  const lacksScope = wasTried && scopes.length === 0 ? 'Choose at least one scope.' : undefined;

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (scopes.length > 0) create.mutate({ name: name.trim(), scopes, expiresInDays: Number(days) });
  };
  const expiry = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
  return (
    <Modal opened onClose={onClose} title="Generate a key for the sandbox" size="lg">
      <form onSubmit={submit}>
        <Stack>
          {create.error && <ProblemAlert error={create.error} />}
          <TextInput
            label="Name"
            description="What it is for, so that you know what stops when you revoke it."
            placeholder="Staging bridge"
            data-autofocus
            required
            withAsterisk={false}
            maxLength={100}
            pattern=".*\S.*"
            value={name}
            error={fieldError(create.error, '/name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <ScopePicker value={scopes} onChange={setScopes} error={lacksScope ?? fieldError(create.error, '/scopes')} />
          <NumberInput
            label="Expires in days"
            description={`1 to ${MAX_DAYS}. The expiry is fixed when the key is made: ${exactTime(expiry)}.`}
            min={1}
            max={MAX_DAYS}
            clampBehavior="strict"
            allowDecimal={false}
            required
            withAsterisk={false}
            w={{ base: '100%', sm: 300 }}
            value={days}
            onChange={setDays}
            error={fieldError(create.error, '/expiresInDays')}
          />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Generate
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  );
}
