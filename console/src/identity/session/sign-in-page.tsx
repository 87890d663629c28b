// Sign-in page: password, provider, or the one-time link that the server printed. Opening the link does not redeem it;
// the button does.
import { Anchor } from '@mantine/core';
import { getRouteApi, useLocation, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTitle } from '../../kit/use-title.ts';
import { LinkSignIn } from './link-sign-in.tsx';
import { safeReturnPath } from './return-path.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { VisitorSignIn } from './visitor-sign-in.tsx';

const route = getRouteApi('/sign-in');

export function SignInPage(): ReactNode {
  useTitle('Sign in');
  const { link, return: wanted } = route.useSearch();
  const router = useRouter();
  const token = new URLSearchParams(useLocation({ select: (location) => location.hash })).get('link') ?? link;
  const [usesPassword, setUsesPassword] = useState(false);
  const isByLink = token !== undefined && !usesPassword;
  const returnPath = safeReturnPath(wanted, location.origin);
  return (
    <SignInFrame>
      <SignInSteps offersPassword={isByLink} onDone={() => router.history.replace(returnPath)}>
        {(onStep) =>
          isByLink ? (
            <>
              <LinkSignIn key={token} token={token} onStep={onStep} />
              <Anchor component="button" type="button" onClick={() => setUsesPassword(true)}>
                Sign in with a password instead
              </Anchor>
            </>
          ) : (
            <VisitorSignIn returnPath={returnPath} onStep={onStep} />
          )
        }
      </SignInSteps>
    </SignInFrame>
  );
}
