// First choice of a new app: an endpoint at the demo receiver, an endpoint at the developer's own address, or only a
// key.
import { Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Role } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { Panel } from '../../kit/panel.tsx';
import { hooksOf } from '../../webhooks/webhooks/url-input.tsx';

interface ReceiverPanelProps {
  role: Role | undefined;
  /** Address of the demo receiver; null if there is none. */
  receiverUrl: string | null;
  isPending: boolean;
  onBegin: (input: ReceiverChoice) => void;
  /** Error of the first attempt. */
  children: ReactNode;
}

export interface ReceiverChoice {
  /** Undefined: only a key. */
  url?: string;
  description: string;
}

export function ReceiverPanel({ receiverUrl, children, ...props }: ReceiverPanelProps): ReactNode {
  return (
    <Panel p={{ base: 'sm', sm: 'md' }}>
      {receiverUrl === null ? <OwnReceiver {...props} /> : <DemoReceiver {...props} receiverUrl={receiverUrl} />}
      {children}
    </Panel>
  );
}

type ChoiceProps = Omit<ReceiverPanelProps, 'receiverUrl' | 'children'>;

function DemoReceiver({ role, receiverUrl, isPending, onBegin }: ChoiceProps & { receiverUrl: string }): ReactNode {
  const begin = (): void => onBegin({ url: hooksOf(receiverUrl), description: 'The receiver of this installation' });
  return (
    <Group justify="space-between" gap="sm">
      <Text maw={620}>
        Quick start: a key with three scopes, an endpoint at the demo receiver of this installation, and one command
        that uses both.
      </Text>
      <GuardedButton role={role} action="keys.create" loading={isPending} onClick={begin}>
        Create key and endpoint
      </GuardedButton>
    </Group>
  );
}

function OwnReceiver({ role, isPending, onBegin }: ChoiceProps): ReactNode {
  const [url, setUrl] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onBegin({ url, description: 'The first receiver' });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text>Quick start: a key with three scopes, an endpoint at your receiver, and one command that uses both.</Text>
        <Group align="flex-end" gap="sm">
          <TextInput
            label="URL of your receiver"
            placeholder="https://bridge.example.org/hooks/slipway"
            type="url"
            flex="1 1 260px"
            required
            withAsterisk={false}
            maxLength={2048}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <GuardedButton role={role} action="keys.create" type="submit" loading={isPending}>
            Create key and endpoint
          </GuardedButton>
        </Group>
        <Group justify="space-between" gap="sm">
          <Text c="dimmed" maw={620}>
            If the internet cannot reach your receiver, start with a key, and let{' '}
            <Code>slipway listen --forward-to http://localhost:3000/hook</Code> forward deliveries to your machine.
          </Text>
          <GuardedButton
            role={role}
            action="keys.create"
            variant="default"
            disabled={isPending}
            onClick={() => onBegin({ description: '' })}
          >
            Start with a key only
          </GuardedButton>
        </Group>
      </Stack>
    </form>
  );
}
