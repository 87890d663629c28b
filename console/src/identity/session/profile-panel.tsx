// The person's profile: name and e-mail address, which they can change.
import { Button, DataList, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type Session } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { RenameForm } from '../../kit/rename-form.tsx';
import { ChangeEmail } from './change-email.tsx';

export function ProfilePanel({ person }: { person: Session['person'] }): ReactNode {
  const queries = useQueryClient();
  const [isOpen, dialog] = useDisclosure(false);
  const rename = useMutation({
    mutationFn: (name: string) => api.updatePerson({ body: { name } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.session });
      notifications.show({ color: 'teal', title: 'Done', message: 'Your name was changed.' });
    },
  });
  // The dialog is outside of the form: a form in a form would submit both.
  return (
    <>
      <RenameForm
        name={person.name}
        title="Profile"
        description="The name and the address that the members of your organisations see."
        inputLabel="Your name"
        refusal={undefined}
        rename={rename}
      >
        <Group justify="space-between">
          <DataList labelWidth={120}>
            <DataList.Item>
              <DataList.ItemLabel>E-mail address</DataList.ItemLabel>
              <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{person.email}</DataList.ItemValue>
            </DataList.Item>
          </DataList>
          <Button variant="default" onClick={dialog.open}>
            Change address
          </Button>
        </Group>
      </RenameForm>
      {isOpen && <ChangeEmail person={person} onClose={dialog.close} />}
    </>
  );
}
