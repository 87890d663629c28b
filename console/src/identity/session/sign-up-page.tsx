// Sign-up: asks for the address, to which a link is mailed; the link asks for name and password.
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { NewAccountForm } from './new-account-form.tsx';
import { RequestLinkForm } from './request-link-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { useLinkToken } from './use-link-token.ts';

export function SignUpPage(): ReactNode {
  useTitle('Create an account');
  const token = useLinkToken();
  const router = useRouter();
  return (
    <SignInFrame>
      {token === undefined ? (
        <RequestLinkForm
          title="Create an account"
          ask={(email) => api.requestSignUp({ body: { email } })}
          afterwards={(email) => ({
            condition: `If ${email} may have an account here`,
            lifetime:
              'The link works once within a day. If you were invited, the message also has a link that joins the organisation.',
          })}
        >
          A link proves that the address is yours. The operator of this installation decides who may sign up.
        </RequestLinkForm>
      ) : (
        <SignInSteps onDone={() => router.history.replace('/')}>
          {(onStep) => <NewAccountForm key={token} token={token} onStep={onStep} />}
        </SignInSteps>
      )}
      <AnchorLink to="/sign-in">Sign in instead</AnchorLink>
    </SignInFrame>
  );
}
