// Renames an organisation.
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { RenameForm } from '../../kit/rename-form.tsx';
import { useRefusalReason } from '../../kit/roles.ts';
import type { OrganisationProps } from './transfer-panel.tsx';

export function RenamePanel({ organisation: { id: organisationId, name, role } }: OrganisationProps): ReactNode {
  const queries = useQueryClient();
  const refusal = useRefusalReason(role, 'organisation.change');
  const rename = useMutation({
    mutationFn: (wanted: string) => api.updateOrganisation({ organisationId, body: { name: wanted } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.session });
      notifications.show({ color: 'teal', title: 'Done', message: 'The organisation has its new name.' });
    },
  });
  return (
    <RenameForm
      name={name}
      description="The name that members and reviewers of live access see. A new name changes no identifier."
      inputLabel="Name of the organisation"
      refusal={refusal}
      rename={rename}
    />
  );
}
