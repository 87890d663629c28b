// The page to which the identity provider redirects. It completes the sign-in once with the parameters of the address.
import { Loader, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTitle } from '../../kit/use-title.ts';
import type { OnStep } from './on-step.ts';
import { takeReturnPath } from './return-path.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import { SignInSteps } from './sign-in-steps.tsx';

const FIXES = {
  not_found: 'No identity provider is configured.',
  provider_sign_in_failed:
    'The sign-in took longer than ten minutes, was started in another browser, or the provider does not confirm your address. Try again.',
  provider_not_linked:
    'An account with your address exists already. Sign in with your password or request a new one, then link the identity provider on your account page.',
  sign_up_closed:
    'Your address has no account, and the sign-up policy does not permit one. Ask the operator for an invitation.',
};

export function ProviderReturnPage(): ReactNode {
  useTitle('Sign in');
  const router = useRouter();
  // Read from the location: the router would convert a numeric code to a number.
  const [callback] = useState(() => new URLSearchParams(window.location.search));
  return (
    <SignInFrame>
      <SignInSteps onDone={() => router.history.replace(takeReturnPath())}>
        {(onStep) => (
          <Completion code={callback.get('code') ?? ''} state={callback.get('state') ?? ''} onStep={onStep} />
        )}
      </SignInSteps>
    </SignInFrame>
  );
}

interface CompletionProps {
  code: string;
  state: string;
  onStep: OnStep;
}

function Completion({ code, state, onStep }: CompletionProps): ReactNode {
  const complete = useMutation({
    mutationFn: () => api.completeProviderSignIn({ body: { code, state } }),
    onSuccess: onStep,
  });
  const { mutate } = complete;
  const wasBegun = useRef(false); // React can run an effect twice, but the code works once
  useEffect(() => {
    if (wasBegun.current || code === '') return;
    wasBegun.current = true;
    mutate();
  }, [code, mutate]);

  const isOver = complete.error !== null || code === '';
  return (
    <Stack aria-busy={!isOver}>
      <Title order={1} fz={22}>
        {isOver ? 'You are not signed in' : 'Signing you in'}
      </Title>
      {complete.error && <ProblemAlert error={complete.error} fixes={FIXES} />}
      {code === '' && <Text c="dimmed">The identity provider did not sign you in.</Text>}
      {isOver ? <AnchorLink to="/sign-in">Back to sign-in</AnchorLink> : <Loader size="sm" role="status" />}
    </Stack>
  );
}
