// The page of the link that was mailed to the previous address after a change. It restores the address with a new
// password, because a person who changed the address knew the previous one.
import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { LinkPasswordForm } from './link-password-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useLinkToken } from './use-link-token.ts';

const FIXES = { link_invalid: 'The link works once within 72 hours. Sign in and check your account.' };

export function RestoreEmailPage(): ReactNode {
  useTitle('Restore your address');
  const token = useLinkToken();
  return (
    <SignInFrame>
      {token === undefined ? (
        <>
          <Title order={1} fz={22}>
            Restore your address
          </Title>
          <Text c="dimmed">This link is not complete. Open the link in the mail again.</Text>
          <AnchorLink to="/sign-in">Back to sign-in</AnchorLink>
        </>
      ) : (
        <LinkPasswordForm
          key={token}
          title="Restore your address"
          explanation="Your account gets the address that received this link again. Choose a new password: all sessions and access tokens end."
          action="Restore the address"
          fixes={FIXES}
          send={(password) => api.undoEmailChange({ body: { token, password } })}
          done={{
            title: 'Your address is restored',
            text: 'You were signed out everywhere. Sign in with this address and the new password, then check your second factor in your account.',
          }}
        />
      )}
    </SignInFrame>
  );
}
