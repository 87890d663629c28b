// Chooses a new password with a mailed link, which ends all other access of the person.
import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { EndedAccess } from '../../kit/api.ts';
import { ButtonLink } from '../../kit/links.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { EndedAccessList } from './ended-access.tsx';
import { NewPasswordInput } from './new-password-input.tsx';

interface LinkPasswordFormProps {
  title: string;
  explanation?: string;
  action: string;
  fixes: Record<string, string>;
  send: (password: string) => Promise<EndedAccess>;
  done: { title: string; text: string };
  /** Shown below a refusal. */
  afterError?: ReactNode;
}

export function LinkPasswordForm(props: LinkPasswordFormProps): ReactNode {
  const { title, explanation, action, fixes, send, done, afterError } = props;
  const [password, setPassword] = useState('');
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => send(password),
    onSuccess: () => queries.clear(), // the session in this browser has ended
  });
  const passwordError = fieldError(save.error, '/password');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  if (save.isSuccess) {
    return (
      <Stack role="status">
        <Title order={1} fz={22}>
          {done.title}
        </Title>
        <Text c="dimmed">{done.text}</Text>
        <EndedAccessList ended={save.data} />
        <ButtonLink to="/sign-in" fullWidth>
          Sign in
        </ButtonLink>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Title order={1} fz={22}>
          {title}
        </Title>
        {explanation && <Text c="dimmed">{explanation}</Text>}
        {save.error && <ProblemAlert error={save.error} fixes={fixes} fields={['/password']} />}
        <NewPasswordInput value={password} error={passwordError} onChange={setPassword} />
        <Button type="submit" loading={save.isPending} fullWidth>
          {action}
        </Button>
        {save.error && afterError}
      </Stack>
    </form>
  );
}
