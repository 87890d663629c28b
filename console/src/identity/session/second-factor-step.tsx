// Second step of a sign-in: a passkey, a code of the authenticator, or a recovery code.
import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import type { OnStep } from './on-step.ts';
import { ProofFields } from './proof-fields.tsx';
import { type Methods, useProof } from './use-proof.ts';

const FIXES = {
  second_factor_failed:
    'The code is wrong, was used already, or more than ten minutes have passed. Wait for the next code, or start again.',
};

interface SecondFactorStepProps {
  methods: Methods;
  onStep: OnStep;
  onRestart: () => void;
}

export function SecondFactorStep({ methods, onStep, onRestart }: SecondFactorStepProps): ReactNode {
  const proof = useProof({
    challenge: () => api.beginPasskeySignIn(),
    complete: (body) => api.completeSignIn({ body }),
    onDone: () => onStep(undefined),
  });
  return (
    <form onSubmit={proof.submit}>
      <Stack>
        <Title order={1} fz={22}>
          Second factor
        </Title>
        <Text c="dimmed">Your account requires a second factor.</Text>
        <ProofFields proof={proof} methods={methods} takesRecoveryCode fixes={FIXES} />
        <Button type="submit" loading={proof.isSendingCode} fullWidth>
          Sign in
        </Button>
        <Anchor component="button" type="button" onClick={onRestart}>
          Start again
        </Anchor>
      </Stack>
    </form>
  );
}
