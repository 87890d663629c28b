// The person's profile: the name, which they can change, and the address.
import { DataList } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type Session } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { RenameForm } from '../../kit/rename-form.tsx';

export function ProfilePanel({ person }: { person: Session['person'] }): ReactNode {
  const queries = useQueryClient();
  const rename = useMutation({
    mutationFn: (name: string) => api.updatePerson({ body: { name } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.session });
      notifications.show({ color: 'teal', title: 'Done', message: 'Your name was changed.' });
    },
  });
  return (
    <RenameForm
      name={person.name}
      description="The name that the members of your organisations see."
      inputLabel="Your name"
      refusal={undefined}
      rename={rename}
    >
      <DataList labelWidth={120}>
        <DataList.Item>
          <DataList.ItemLabel>E-mail address</DataList.ItemLabel>
          <DataList.ItemValue>{person.email}</DataList.ItemValue>
        </DataList.Item>
      </DataList>
    </RenameForm>
  );
}
