// Asks for a link by mail. Whether one was sent is never said: who has an account is for nobody else to know.
import { Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { fieldError } from '../../kit/mends.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';

const MENDS = { rate_limited: 'Too many links were asked for from your network. Try again in an hour.' };

interface MailMeFormProps {
  title: string;
  children: ReactNode;
  /** Said once it was asked for, with the address. */
  afterwards: (email: string) => string;
  ask: (email: string) => Promise<unknown>;
}

export function MailMeForm({ title, children, afterwards, ask }: MailMeFormProps): ReactNode {
  const [email, setEmail] = useState('');
  const send = useMutation({ mutationFn: () => ask(email.trim()) });
  const emailError = fieldError(send.error, '/email');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send.mutate();
  };
  if (send.isSuccess) {
    return (
      <Stack role="status">
        <Title order={1} fz={22}>
          Look into your mail
        </Title>
        <Text style={{ overflowWrap: 'anywhere' }}>{afterwards(email.trim())}</Text>
        <Button variant="default" onClick={send.reset}>
          Ask again
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
        {send.error && !emailError && <ProblemAlert error={send.error} mends={MENDS} />}
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
          Mail me a link
        </Button>
      </Stack>
    </form>
  );
}
