// Asks for a code of the authenticator before an action for which a stolen session must not suffice.

import { Button, Modal, Stack, Text } from '@mantine/core';
import { SlipwayProblem } from '@slipway/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { CodeInput } from './code-input.tsx';
import { RemovalNote } from './removal-note.tsx';
import { useSession } from './use-session.ts';

export const needsSecondFactor = (error: Error | null): boolean =>
  error instanceof SlipwayProblem && error.code === 'second_factor_required';

interface VerifySecondFactorProps {
  onVerified: () => void;
  onClose: () => void;
}

export function VerifySecondFactor({ onVerified, onClose }: VerifySecondFactorProps): ReactNode {
  const session = useSession();
  const person = session.data?.person;
  const removal = person?.secondFactorRemoval;
  return (
    <Modal opened onClose={onClose} title="Confirm your second factor" zIndex={300}>
      {!session.data && <RowsSkeleton rows={3} />}
      {removal && <RemovalNote removal={removal} onCancelled={() => session.refetch()} />}
      {person?.hasSecondFactor && !removal && <VerifyCode onVerified={onVerified} onClose={onClose} />}
      {person && !person.hasSecondFactor && (
        <Stack>
          <Text>This action requires a recently confirmed second factor. You have none.</Text>
          <AnchorLink to="/account">Set up a second factor</AnchorLink>
        </Stack>
      )}
    </Modal>
  );
}

function VerifyCode({ onVerified, onClose }: VerifySecondFactorProps): ReactNode {
  const [code, setCode] = useState('');
  const queries = useQueryClient();
  const verify = useMutation({
    mutationFn: () => api.verifySecondFactor({ body: { code: code.trim() } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: queryKeys.sessions });
      onVerified();
    },
    onError: () => setCode(''),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    verify.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text c="dimmed">Enter a code of your authenticator. The confirmation is valid for ten minutes.</Text>
        {verify.error && <ProblemAlert error={verify.error} />}
        <CodeInput value={code} onChange={setCode} />
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={verify.isPending}>
            Confirm
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
