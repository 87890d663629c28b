// Sign-in form with e-mail address and password.
import { Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api } from '../../kit/api.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import type { OnStep } from './on-step.ts';

const FIXES = {
  sign_in_failed: 'The e-mail address and password do not match. Check both, then try again.',
  rate_limited:
    'Too many wrong passwords. Wait, sign in from a network that you have used before, or request a new password.',
  email_not_verified: 'The address is not confirmed yet. Request a new password: the mailed link confirms it.',
};

export function PasswordSignIn({ onStep }: { onStep: OnStep }): ReactNode {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => api.createSession({ body: { email: email.trim(), password } }),
    onSuccess: onStep,
  });

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Title order={1} fz={22}>
          Sign in
        </Title>
        {signIn.error && <ProblemAlert error={signIn.error} fixes={FIXES} />}
        <TextInput
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
