// Confirms a deletion by the organisation's name, and describes its schedule.
import { List, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import type { OrganisationProps } from './transfer-panel.tsx';

interface DeleteOrganisationProps extends OrganisationProps {
  onClose: () => void;
}

export function DeleteOrganisation({ organisation, onClose }: DeleteOrganisationProps): ReactNode {
  const { id: organisationId, name } = organisation;
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.deleteOrganisation({ organisationId, body: { organisationName: typed.trim() } }),
    onSuccess: async (deletion) => {
      queries.setQueryData(queryKeys.deletion(organisationId), deletion);
      await queries.invalidateQueries({ queryKey: queryKeys.apps(organisationId) });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      isShared
      title={`Delete “${name}”?`}
      action="Delete the organisation"
      isReady={typed.trim() === name}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <List size="sm" spacing={6}>
        <List.Item>
          All its apps stop immediately in every environment, including the sandbox: calls with their keys are refused,
          and nothing is delivered.
        </List.Item>
        <List.Item>
          For seven days an owner can cancel the deletion here. Its apps then stay suspended until you resume them.
        </List.Item>
        <List.Item>
          After that, apps, keys, records, members and the audit log are erased. Download an export to keep a copy.
        </List.Item>
      </List>
      <TextInput
        label={
          <>
            Type{' '}
            <Text span fw={620}>
              {name}
            </Text>{' '}
            to confirm
          </>
        }
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
