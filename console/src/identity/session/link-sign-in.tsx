// Redeems a one-time link when the button is pressed.
import { Button, Stack, Text, Title } from '@mantine/core';
import { SlipwayProblem } from '@slipway/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import type { OnStep } from './on-step.ts';

const FIXES = {
  sign_in_failed:
    'The link was used or has expired. Slipway prints a new link at each start until the owner has signed in.',
};

interface LinkSignInProps {
  token: string;
  onStep: OnStep;
}

export function LinkSignIn({ token, onStep }: LinkSignInProps): ReactNode {
  const redeem = useMutation({
    mutationFn: () => api.redeemSignInLink({ body: { token } }),
    onSuccess: onStep,
  });
  const isSpent = redeem.error instanceof SlipwayProblem && redeem.error.code === 'sign_in_failed';
  return (
    <Stack>
      <Title order={1} fz={22}>
        Your sign-in link
      </Title>
      {redeem.error && <ProblemAlert error={redeem.error} fixes={FIXES} />}
      {!isSpent && (
        <>
          <Text c="dimmed">The link works once. Opening this page does not use it; the button does.</Text>
          <Button fullWidth loading={redeem.isPending} onClick={() => redeem.mutate()}>
            Sign in as the owner
          </Button>
        </>
      )}
    </Stack>
  );
}
