// Second step of a sign-in: a code of the authenticator, or a recovery code.
import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api } from '../../kit/api.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { CodeInput } from './code-input.tsx';
import type { OnStep } from './on-step.ts';

const FIXES = {
  second_factor_failed:
    'The code is wrong, was used already, or more than ten minutes have passed. Wait for the next code, or start again.',
};

interface SecondFactorStepProps {
  onStep: OnStep;
  onRestart: () => void;
}

export function SecondFactorStep({ onStep, onRestart }: SecondFactorStepProps): ReactNode {
  const [code, setCode] = useState('');
  const complete = useMutation({
    mutationFn: () => api.completeSignIn({ body: { code: code.trim() } }),
    onSuccess: onStep,
    onError: () => setCode(''),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    complete.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Title order={1} fz={22}>
          Second factor
        </Title>
        <Text c="dimmed">Your account requires a second factor.</Text>
        {complete.error && <ProblemAlert error={complete.error} fixes={FIXES} />}
        <CodeInput takesRecoveryCode value={code} onChange={setCode} />
        <Button type="submit" loading={complete.isPending} fullWidth>
          Sign in
        </Button>
        <Anchor component="button" type="button" onClick={onRestart}>
          Start again
        </Anchor>
      </Stack>
    </form>
  );
}
