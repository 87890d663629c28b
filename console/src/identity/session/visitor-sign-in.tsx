// First step of a sign-in, by each method of this Console.
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { AnchorLink } from '../../kit/links.tsx';
import type { OnStep } from './on-step.ts';
import { PasswordSignIn } from './password-sign-in.tsx';
import { ProviderButton } from './provider-button.tsx';

interface VisitorSignInProps {
  /** Path to open after a sign-in by the identity provider. */
  returnPath: string;
  onStep: OnStep;
}

export function VisitorSignIn({ returnPath, onStep }: VisitorSignInProps): ReactNode {
  return (
    <>
      <PasswordSignIn onStep={onStep} />
      <ProviderButton returnPath={returnPath} />
      <Stack gap={6}>
        <AnchorLink to="/reset-password">Forgot your password?</AnchorLink>
        <AnchorLink to="/sign-up">Create an account</AnchorLink>
      </Stack>
    </>
  );
}
