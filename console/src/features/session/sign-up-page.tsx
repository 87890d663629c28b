// Signing up: first the address, to which a link is mailed; with the link a name and a password.
import { Button, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { fieldError } from '../../kit/mends.ts';
import { NameInput } from '../../kit/name-input.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { MailMeForm } from './mail-me-form.tsx';
import { NewPasswordInput } from './new-password-input.tsx';
import type { OnStep } from './on-step.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { useLinkToken } from './use-link-token.ts';

const MENDS = {
  link_invalid: 'It works once and for a day, and another that you asked for later voids it. Ask for a new one.',
};

export function SignUpPage(): ReactNode {
  useTitle('Create an account');
  const token = useLinkToken();
  const router = useRouter();
  return (
    <SignInFrame>
      {token === undefined ? (
        <MailMeForm
          title="Create an account"
          ask={(email) => api.requestSignUp({ body: { email } })}
          afterwards={(email) =>
            `If ${email} may have an account here, a link is on its way to it. It works once and for a day. Were you invited? Then open that link again afterwards.`
          }
        >
          A link is mailed to you, which shows that the address is yours. Who may sign up is decided by whoever runs
          this.
        </MailMeForm>
      ) : (
        <SignInSteps onDone={() => router.history.replace('/')}>
          {(onStep) => <NewAccountForm key={token} token={token} onStep={onStep} />}
        </SignInSteps>
      )}
      <AnchorLink to="/sign-in">Sign in instead</AnchorLink>
    </SignInFrame>
  );
}

function NewAccountForm({ token, onStep }: { token: string; onStep: OnStep }): ReactNode {
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
        <Title order={1} fz={22}>
          Create your account
        </Title>
        {create.error && !nameError && !passwordError && <ProblemAlert error={create.error} mends={MENDS} />}
        <NameInput label="Your name" autoComplete="name" value={name} error={nameError} onChange={setName} />
        <NewPasswordInput value={password} error={passwordError} onChange={setPassword} />
        <Button type="submit" loading={create.isPending} fullWidth>
          Create the account
        </Button>
      </Stack>
    </form>
  );
}
