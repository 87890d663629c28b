// Changes name, environments and notices of a destination.
import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { NoticeDestination } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { NameInput } from '../../kit/name-input.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { EnvironmentsInput } from './environments-input.tsx';
import { NoticeKinds } from './notice-kinds.tsx';
import { useChangeDestination } from './use-destinations.ts';

interface ChangeDestinationProps {
  organisationId: string;
  destination: NoticeDestination;
  onClose: () => void;
}

export function ChangeDestination({ organisationId, destination, onClose }: ChangeDestinationProps): ReactNode {
  const [name, setName] = useState(destination.name);
  const [environments, setEnvironments] = useState(destination.environments);
  const [mutedKinds, setMutedKinds] = useState(destination.mutedKinds);
  const change = useChangeDestination(organisationId);
  const nameError = fieldError(change.error, '/name');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = { name: name.trim(), environments, mutedKinds };
    change.mutate({ destinationId: destination.id, body }, { onSuccess: onClose });
  };
  return (
    <FormDialog onClose={onClose} title={`Change the destination “${destination.name}”`} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <Text c="dimmed">The address and the secret are fixed. Add another destination if you need other ones.</Text>
          {change.error && <ProblemAlert error={change.error} fields={['/name']} />}
          <NameInput label="Name" data-autofocus value={name} error={nameError} onChange={setName} />
          {destination.kind === 'webhook' && <EnvironmentsInput value={environments} onChange={setEnvironments} />}
          <NoticeKinds muted={mutedKinds} onChange={setMutedKinds} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending} disabled={environments.length === 0}>
              Save
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}
