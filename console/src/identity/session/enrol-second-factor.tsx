// Sets up a second factor: password, recovery codes (shown once), and a code that proves that the authenticator works.
// The second factor is active only after the last step.
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, defined, type SecondFactorEnrolment } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { ShownOnceDialog } from '../../kit/shown-once-dialog.tsx';
import { CodeInput } from './code-input.tsx';
import { CurrentPassword } from './current-password.tsx';
import { needsSecondFactor, VerifySecondFactor } from './verify-second-factor.tsx';

const TITLE = 'Set up a second factor';
const FIXES = {
  second_factor_failed: 'The code is wrong. Check the clock of the authenticator’s device, and try the next code.',
};

interface EnrolProps {
  hasPassword: boolean;
  onDone: () => unknown;
  onClose: () => void;
}

export function EnrolSecondFactor({ hasPassword, onDone, onClose }: EnrolProps): ReactNode {
  const [areStored, setStored] = useState(false);
  const enrol = useMutation({
    mutationFn: (currentPassword: string | undefined) => api.enrolSecondFactor({ body: defined({ currentPassword }) }),
    gcTime: 0, // the response contains secrets, so it is not cached
  });
  if (!enrol.data) return <Beginning hasPassword={hasPassword} enrol={enrol} onClose={onClose} />;
  if (areStored) return <Confirmation enrolment={enrol.data} onDone={onDone} onClose={onClose} />;
  return (
    <ShownOnceDialog
      title="Your recovery codes"
      secret={enrol.data.recoveryCodes.join('\n')}
      noun="recovery codes"
      advice="Each code replaces your authenticator once if you lose it."
      action="Continue"
      onClose={() => setStored(true)}
    />
  );
}

interface BeginningProps {
  hasPassword: boolean;
  enrol: { mutate: (password: string | undefined) => void; error: Error | null; isPending: boolean };
  onClose: () => void;
}

function Beginning({ hasPassword, enrol, onClose }: BeginningProps): ReactNode {
  const [password, setPassword] = useState('');
  const passwordError = fieldError(enrol.error, '/currentPassword');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    enrol.mutate(hasPassword ? password : undefined);
  };
  if (needsSecondFactor(enrol.error))
    return <VerifySecondFactor onVerified={() => enrol.mutate(hasPassword ? password : undefined)} onClose={onClose} />;
  return (
    <FormDialog onClose={onClose} title={TITLE}>
      <form onSubmit={submit}>
        <Stack>
          <Text c="dimmed">
            You need an authenticator app on your phone or in your password manager, and a safe place for recovery
            codes.
          </Text>
          {enrol.error && <ProblemAlert error={enrol.error} fields={['/currentPassword']} />}
          {hasPassword && <CurrentPassword value={password} onChange={setPassword} error={passwordError} isFirst />}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={enrol.isPending}>
              Continue
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}

interface ConfirmationProps {
  enrolment: SecondFactorEnrolment;
  onDone: () => unknown;
  onClose: () => void;
}

function Confirmation({ enrolment, onDone, onClose }: ConfirmationProps): ReactNode {
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => api.confirmSecondFactor({ body: { code: code.trim() } }),
    onSuccess: onDone,
    onError: () => setCode(''),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    confirm.mutate();
  };
  const secret = new URL(enrolment.uri).searchParams.get('secret') ?? '';
  return (
    <FormDialog onClose={onClose} title={TITLE} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <Text>
            Enter this secret in your authenticator, or{' '}
            <Anchor href={enrolment.uri} underline="always">
              open your authenticator here
            </Anchor>
            . Then type the code that it shows.
          </Text>
          <CodeBlock label="Secret" wraps>
            {secret}
          </CodeBlock>
          {confirm.error && <ProblemAlert error={confirm.error} fixes={FIXES} />}
          <CodeInput value={code} onChange={setCode} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={confirm.isPending}>
              Enable
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}
