// Content for a signed-in person. A signed-out person signs in on the same page first, so that a token in the address goes
// nowhere else.
import { Skeleton, Text } from '@mantine/core';
import { SlipwayProblem } from '@slipway/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Session } from '../../kit/api.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { sessionQuery } from './use-session.ts';
import { VisitorSignIn } from './visitor-sign-in.tsx';

interface SignInFirstProps {
  /** Explains to a signed-out person why to sign in. */
  reason: string;
  /** Path to open after a sign-in by the identity provider. */
  returnPath: string;
  children: (session: Session, onOtherPerson: () => void) => ReactNode;
}

export function SignInFirst(props: SignInFirstProps): ReactNode {
  const [visit, setVisit] = useState(0); // changes when another person signs in here
  return <Content key={visit} {...props} onOtherPerson={() => setVisit(visit + 1)} />;
}

function Content(props: SignInFirstProps & { onOtherPerson: () => void }): ReactNode {
  const { reason, returnPath, children, onOtherPerson } = props;
  // Read once: typed text must not disappear when the window regains focus.
  const session = useQuery({ ...sessionQuery, refetchOnWindowFocus: false, refetchOnReconnect: false });
  if (session.data) return children(session.data, onOtherPerson);
  if (session.isPending) return <Skeleton height={180} radius="sm" aria-label="Loading" />;
  if (!(session.error instanceof SlipwayProblem && session.error.code === 'sign_in_required')) {
    return <ProblemAlert error={session.error} onRetry={() => void session.refetch()} />;
  }
  return (
    <SignInSteps onDone={onOtherPerson}>
      {(onStep) => (
        <>
          <Text>{reason}</Text>
          <VisitorSignIn returnPath={returnPath} onStep={onStep} />
        </>
      )}
    </SignInSteps>
  );
}
