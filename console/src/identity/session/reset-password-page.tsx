// Resets a forgotten password: asks for the address, to which a link is mailed; the link asks for the new password.
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { LinkPasswordForm } from './link-password-form.tsx';
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
        <LinkPasswordForm
          key={token}
          title="Choose a new password"
          action="Set password"
          fixes={FIXES}
          send={(password) => api.resetPassword({ body: { token, password } })}
          done={{
            title: 'The password is set',
            text: 'You were signed out everywhere. Sign in with the new password.',
          }}
          afterError={<AnchorLink to="/reset-password">Request a new link</AnchorLink>}
        />
      )}
    </SignInFrame>
  );
}
