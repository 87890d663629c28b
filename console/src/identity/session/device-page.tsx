// The page to which a terminal sends people for a device sign-in. A signed-out person signs in on the same page first.
import { Skeleton, Text, Title } from '@mantine/core';
import { SlipwayProblem } from '@slipway/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { DeviceSteps } from './device-steps.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { sessionQuery } from './use-session.ts';
import { VisitorSignIn } from './visitor-sign-in.tsx';

export function DevicePage(): ReactNode {
  useTitle('Sign in a terminal');
  const [visit, setVisit] = useState(0); // changes when another person signs in here
  return (
    <SignInFrame>
      <Title order={1} fz={22}>
        Sign in a terminal
      </Title>
      <Visitor key={visit} onSignIn={() => setVisit(visit + 1)} />
    </SignInFrame>
  );
}

function Visitor({ onSignIn }: { onSignIn: () => void }): ReactNode {
  // Read once: the typed code must not disappear when the window regains focus.
  const session = useQuery({ ...sessionQuery, refetchOnWindowFocus: false, refetchOnReconnect: false });
  if (session.data) return <DeviceSteps session={session.data} />;
  if (session.isPending) return <Skeleton height={180} radius="sm" aria-label="Loading" />;
  if (!(session.error instanceof SlipwayProblem && session.error.code === 'sign_in_required')) {
    return <ProblemAlert error={session.error} onRetry={() => void session.refetch()} />;
  }
  return (
    <SignInSteps onDone={onSignIn}>
      {(onStep) => (
        <>
          <Text>Sign in first. The terminal waits.</Text>
          <VisitorSignIn returnPath="/device" onStep={onStep} />
        </>
      )}
    </SignInSteps>
  );
}
