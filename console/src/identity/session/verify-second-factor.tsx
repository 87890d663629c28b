// Asks for a passkey or a code of the authenticator before an action for which a stolen session must not suffice.

import { Button, Stack, Text } from '@mantine/core';
import { SlipwayProblem } from '@slipway/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { ProofFields, takesCode } from './proof-fields.tsx';
import { RemovalNote } from './removal-note.tsx';
import { type Methods, useProof } from './use-proof.ts';
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
    <FormDialog onClose={onClose} title="Confirm your second factor" zIndex={300}>
      {!session.data && <RowsSkeleton rows={3} />}
      {removal && <RemovalNote removal={removal} onCancelled={() => session.refetch()} />}
      {person?.hasSecondFactor && !removal && (
        <VerifyProof methods={person.secondFactorMethods} onVerified={onVerified} onClose={onClose} />
      )}
      {person && !person.hasSecondFactor && (
        <Stack>
          <Text>This action requires a recently confirmed second factor. You have none.</Text>
          <AnchorLink to="/account">Set up a second factor</AnchorLink>
        </Stack>
      )}
    </FormDialog>
  );
}

function VerifyProof({ methods, onVerified, onClose }: VerifySecondFactorProps & { methods: Methods }): ReactNode {
  const queries = useQueryClient();
  const proof = useProof({
    complete: (body) => api.verifySecondFactor({ body }),
    onDone: () => {
      void queries.invalidateQueries({ queryKey: queryKeys.sessions });
      onVerified();
    },
  });
  return (
    <form onSubmit={proof.submit}>
      <Stack>
        <Text c="dimmed">
          {methods.includes('authenticator')
            ? 'Enter a code of your authenticator. The confirmation is valid for ten minutes.'
            : 'The confirmation is valid for ten minutes.'}
        </Text>
        <ProofFields proof={proof} methods={methods} />
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {takesCode(methods, false) && (
            <Button type="submit" loading={proof.isSendingCode}>
              Confirm
            </Button>
          )}
        </DialogActions>
      </Stack>
    </form>
  );
}
