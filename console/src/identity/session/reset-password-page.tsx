// Resets a forgotten password: asks for the address, to which a link is mailed; the link asks for the new password.
import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api } from '../../kit/api.ts';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { useTitle } from '../../kit/use-title.ts';
import { EndedAccessList } from './ended-access.tsx';
import { NewPasswordInput } from './new-password-input.tsx';
import { RequestLinkForm } from './request-link-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useLinkToken } from './use-link-token.ts';

const FIXES = {
  link_invalid: 'The link works once within an hour, and a later link replaces it. Request a new one.',
};

export function ResetPasswordPage(): ReactNode {
  useTitle('Reset password');
  const token = useLinkToken();
  return (
    <SignInFrame>
      {token === undefined ? (
        <>
          <RequestLinkForm
            title="Reset password"
            ask={(email) => api.requestPasswordReset({ body: { email } })}
            afterwards={(email) => ({
              condition: `If ${email} has an account here`,
              lifetime: 'The link works once within an hour.',
            })}
          >
            A link proves that the address is yours and lets you choose a password.
          </RequestLinkForm>
          <AnchorLink to="/sign-in">Back to sign-in</AnchorLink>
        </>
      ) : (
        <ResetForm key={token} token={token} />
      )}
    </SignInFrame>
  );
}

function ResetForm({ token }: { token: string }): ReactNode {
  const [password, setPassword] = useState('');
  const queries = useQueryClient();
  const reset = useMutation({
    mutationFn: () => api.resetPassword({ body: { token, password } }),
    onSuccess: () => queries.clear(), // the reset has ended the session in this browser
  });
  const passwordError = fieldError(reset.error, '/password');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    reset.mutate();
  };
  if (reset.isSuccess) {
    return (
      <Stack role="status">
        <Title order={1} fz={22}>
          The password is set
        </Title>
        <Text c="dimmed">You were signed out everywhere. Sign in with the new password.</Text>
        <EndedAccessList ended={reset.data} />
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
          Choose a new password
        </Title>
        {reset.error && !passwordError && <ProblemAlert error={reset.error} fixes={FIXES} />}
        <NewPasswordInput value={password} error={passwordError} onChange={setPassword} />
        <Button type="submit" loading={reset.isPending} fullWidth>
          Set password
        </Button>
        {reset.error && <AnchorLink to="/reset-password">Request a new link</AnchorLink>}
      </Stack>
    </form>
  );
}
