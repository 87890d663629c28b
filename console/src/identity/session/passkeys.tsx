// Lists the person's passkeys, and removes them.
import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, type Passkey, type Session } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { ProofFields } from './proof-fields.tsx';
import { useProof } from './use-proof.ts';

type Person = Session['person'];

export function Passkeys({ person }: { person: Person }): ReactNode {
  const passkeys = useQuery({
    queryKey: queryKeys.passkeys,
    queryFn: ({ signal }) => api.listPasskeys({}, { signal }),
  });
  if (passkeys.error) return <ProblemAlert error={passkeys.error} onRetry={() => void passkeys.refetch()} />;
  const rows = passkeys.data?.data ?? [];
  return rows.length > 0 && <PasskeyTable person={person} passkeys={rows} />;
}

function PasskeyTable({ person, passkeys }: { person: Person; passkeys: Passkey[] }): ReactNode {
  const [removed, setRemoved] = useState<Passkey>();
  const queries = useQueryClient();
  const close = (): void => setRemoved(undefined);
  const done = async (): Promise<void> => {
    close();
    await Promise.all(
      [queryKeys.passkeys, queryKeys.session, queryKeys.sessions].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  };
  const columns: Column<Passkey>[] = [
    { head: 'Passkey', cell: ({ name }) => name, wraps: true },
    {
      head: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <RelativeTime at={lastUsedAt} />),
    },
    {
      head: 'Actions',
      align: 'right',
      cell: (passkey) => (
        <Button variant="default" size="xs" aria-label={`Remove ${passkey.name}`} onClick={() => setRemoved(passkey)}>
          Remove
        </Button>
      ),
    },
  ];
  return (
    <>
      <DataTable label="Your passkeys" verticalSpacing="sm" columns={columns} rows={passkeys} rowKey={({ id }) => id} />
      {removed && <RemovePasskey person={person} passkey={removed} onDone={done} onClose={close} />}
    </>
  );
}

interface RemovePasskeyProps {
  person: Person;
  passkey: Passkey;
  onDone: () => unknown;
  onClose: () => void;
}

function RemovePasskey({ person, passkey, onDone, onClose }: RemovePasskeyProps): ReactNode {
  const proof = useProof({
    complete: (body) => api.removePasskey({ passkeyId: passkey.id, body }),
    onDone,
  });
  return (
    <FormDialog onClose={onClose} title={`Remove “${passkey.name}”?`}>
      <form onSubmit={proof.submit}>
        <Stack>
          <Text>This passkey no longer signs you in. Confirm with your second factor or a recovery code.</Text>
          <ProofFields proof={proof} methods={person.secondFactorMethods} takesRecoveryCode />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Keep it
            </Button>
            <Button type="submit" color="red.8" loading={proof.isSendingCode}>
              Remove
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}
