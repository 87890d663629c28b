// Registers a passkey. If the second factor is off, the person stores recovery codes first, and the passkey switches it
// on.
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, defined, type Session } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { NameInput } from '../../kit/name-input.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { ShownOnceDialog } from '../../kit/shown-once-dialog.tsx';
import { CurrentPassword } from './current-password.tsx';
import { createCredential } from './passkey-ceremony.ts';
import { needsSecondFactor, VerifySecondFactor } from './verify-second-factor.tsx';

const TITLE = 'Add a passkey';
const FIXES = { second_factor_failed: 'The time to answer has passed, or another attempt was begun. Try again.' };

interface AddPasskeyProps {
  person: Session['person'];
  onDone: () => unknown;
  onClose: () => void;
}

export function AddPasskey({ person, onDone, onClose }: AddPasskeyProps): ReactNode {
  const { hasPassword, hasSecondFactor } = person;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [areStored, setStored] = useState(hasSecondFactor);
  const currentPassword = hasPassword ? password : undefined;
  const enrol = useMutation({
    mutationFn: () => api.enrolSecondFactor({ body: defined({ currentPassword }) }),
    gcTime: 0, // the response contains secrets, so it is not cached
  });
  const register = useMutation({
    mutationFn: async () => {
      const options = await api.beginPasskeyRegistration({ body: defined({ currentPassword }) });
      return api.createPasskey({ body: { name: name.trim(), credential: await createCredential(options) } });
    },
    onSuccess: onDone,
  });
  const error = register.error ?? enrol.error;
  const passwordError = fieldError(error, '/currentPassword');
  const nameError = fieldError(error, '/name');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (areStored) register.mutate();
    else enrol.mutate();
  };
  if (enrol.data && !areStored) {
    return (
      <ShownOnceDialog
        title="Your recovery codes"
        secret={enrol.data.recoveryCodes.join('\n')}
        noun="recovery codes"
        advice="Each code replaces your passkey once if you lose it."
        action="Continue"
        onClose={() => setStored(true)}
      />
    );
  }
  if (needsSecondFactor(error)) return <VerifySecondFactor onVerified={() => register.mutate()} onClose={onClose} />;
  return (
    <FormDialog onClose={onClose} title={TITLE}>
      <form onSubmit={submit}>
        <Stack>
          <Text c="dimmed">
            A passkey is kept by this device, your phone, a password manager or a security key. It works only at this
            address of the Console.
          </Text>
          {error && <ProblemAlert error={error} fixes={FIXES} fields={['/currentPassword', '/name']} />}
          <NameInput
            label="Name"
            placeholder="Security key"
            data-autofocus
            value={name}
            error={nameError}
            onChange={setName}
          />
          {hasPassword && <CurrentPassword value={password} onChange={setPassword} error={passwordError} />}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={enrol.isPending || register.isPending}>
              {areStored ? 'Create the passkey' : 'Continue'}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}
