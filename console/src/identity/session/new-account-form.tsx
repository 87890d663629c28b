// Creates an account with name and password. A link proves the address.
import { Button, Stack, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api } from '../../kit/api.ts';
import { NameInput } from '../../kit/name-input.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { NewPasswordInput } from './new-password-input.tsx';
import type { OnStep } from './on-step.ts';

const FIXES = {
  link_invalid: 'The link works once within a day, and a later link replaces it. Request a new one.',
};

interface NewAccountFormProps {
  token: string;
  /** Address of the account, if the page has its own heading. */
  email?: string;
  action?: string;
  onStep: OnStep;
}

export function NewAccountForm({ token, email, action = 'Create account', onStep }: NewAccountFormProps): ReactNode {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const create = useMutation({
    mutationFn: () => api.createAccount({ body: { token, name: name.trim(), password } }),
    onSuccess: onStep,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  const [nameError, passwordError] = [fieldError(create.error, '/name'), fieldError(create.error, '/password')];
  return (
    <form onSubmit={submit}>
      <Stack>
        {email === undefined ? (
          <Title order={1} fz={22}>
            Create your account
          </Title>
        ) : (
          // A password manager stores the password under this address.
          <TextInput label="E-mail address" autoComplete="username" value={email} readOnly />
        )}
        {create.error && <ProblemAlert error={create.error} fixes={FIXES} fields={['/name', '/password']} />}
        <NameInput label="Your name" autoComplete="name" value={name} error={nameError} onChange={setName} />
        <NewPasswordInput value={password} error={passwordError} onChange={setPassword} />
        <Button type="submit" loading={create.isPending} fullWidth>
          {action}
        </Button>
      </Stack>
    </form>
  );
}
