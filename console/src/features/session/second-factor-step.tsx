// The second step of signing in: a code of the authenticator, or a recovery code.
import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api } from '../../kit/api.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import type { OnStep } from './on-step.ts';

const MENDS = {
  second_factor_failed:
    'The code does not fit, was used already, or more than ten minutes have passed. Wait for the next code, or start again.',
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
          One step more
        </Title>
        <Text c="dimmed">Your account asks for a second factor.</Text>
        {complete.error && <ProblemAlert error={complete.error} mends={MENDS} />}
        <TextInput
          label="Code"
          description="The six digits of your authenticator, or a recovery code."
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="off"
          autoFocus
          required
          withAsterisk={false}
          maxLength={11}
          pattern="\s*([0-9]{6}|[A-Za-z0-9]{5}-[A-Za-z0-9]{5})\s*"
          title="Six digits, or a recovery code as in a1B2c-D3e4F"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
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
