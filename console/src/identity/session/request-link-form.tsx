// Asks for a link, which is mailed, or waits in the operator's outbox if no mail server is configured. The form never
// says that a link was sent, because that would disclose which addresses have an account.
import { Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { useProviders } from './use-providers.ts';

const FIXES = { rate_limited: 'Too many links were requested from your network. Try again in an hour.' };

interface RequestLinkFormProps {
  title: string;
  children: ReactNode;
  /** The condition and the lifetime of the link, after the request: `If … has an account here`, `It works once.` */
  afterwards: (email: string) => { condition: string; lifetime: string };
  ask: (email: string) => Promise<unknown>;
}

export function RequestLinkForm({ title, children, afterwards, ask }: RequestLinkFormProps): ReactNode {
  const [email, setEmail] = useState('');
  const send = useMutation({ mutationFn: () => ask(email.trim()) });
  const isMailed = useProviders().data?.sendsMail !== false;
  const emailError = fieldError(send.error, '/email');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send.mutate();
  };
  if (send.isSuccess) {
    const { condition, lifetime } = afterwards(email.trim());
    return (
      <Stack role="status">
        <Title order={1} fz={22}>
          {isMailed ? 'Check your mail' : 'Ask the operator for the link'}
        </Title>
        <Text style={{ overflowWrap: 'anywhere' }}>
          {condition},{' '}
          {isMailed
            ? 'Slipway mails a link to it.'
            : 'a link waits in the outbox of this installation. No mail server is configured, so no mail is sent: the operator gives you the link.'}{' '}
          {lifetime}
        </Text>
        <Button variant="default" onClick={send.reset}>
          Request another link
        </Button>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Title order={1} fz={22}>
          {title}
        </Title>
        <Text c="dimmed">{children}</Text>
        {send.error && <ProblemAlert error={send.error} fixes={FIXES} fields={['/email']} />}
        <TextInput
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          maxLength={320}
          value={email}
          error={emailError}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" loading={send.isPending} fullWidth>
          Request a link
        </Button>
      </Stack>
    </form>
  );
}
