// The page to which a terminal sends people for a device sign-in. A signed-out person signs in on the same page first.
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from '../../kit/use-title.ts';
import { DeviceSteps } from './device-steps.tsx';
import { SignInFirst } from './sign-in-first.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

export function DevicePage(): ReactNode {
  useTitle('Sign in a terminal');
  return (
    <SignInFrame>
      <Title order={1} fz={22}>
        Sign in a terminal
      </Title>
      <SignInFirst reason="Sign in first. The terminal waits." returnPath="/device">
        {(session) => <DeviceSteps session={session} />}
      </SignInFirst>
    </SignInFrame>
  );
}
