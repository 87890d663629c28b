// Switching the second factor off, which needs a code: an open session alone is not enough.
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { CodeInput } from './code-input.tsx';

const MENDS = { second_factor_failed: 'The code does not fit, or was used already. Wait for the next one.' };

interface DisableProps {
  onDone: () => unknown;
  onClose: () => void;
}

export function DisableSecondFactor({ onDone, onClose }: DisableProps): ReactNode {
  const [code, setCode] = useState('');
  const disable = useMutation({
    mutationFn: () => api.disableSecondFactor({ body: { code: code.trim() } }),
    onSuccess: onDone,
    onError: () => setCode(''),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    disable.mutate();
  };
  return (
    <Modal opened onClose={onClose} title="Switch off the second factor?">
      <form onSubmit={submit}>
        <Stack>
          <Text>Your password alone signs in then, and your recovery codes are void. A mail tells you of it.</Text>
          {disable.error && <ProblemAlert error={disable.error} mends={MENDS} />}
          <CodeInput takesRecoveryCode value={code} onChange={setCode} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Keep it
            </Button>
            <Button type="submit" color="red.8" loading={disable.isPending}>
              Switch it off
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  );
}
