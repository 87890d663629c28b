// Creates a destination of notices: asks for its settings, then shows the signing secret once.
import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { NoticeDestination, NoticeDestinationInput } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { NameInput } from '../../kit/name-input.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { ShownOnceDialog } from '../../kit/shown-once-dialog.tsx';
import { NoticeKinds } from './notice-kinds.tsx';
import { useCreateDestination } from './use-destinations.ts';

type Environment = NoticeDestination['environments'][number];

export const KIND_LABELS: Record<NoticeDestination['kind'], string> = { webhook: 'Signed webhook' };
const ENVIRONMENTS: readonly Environment[] = ['sandbox', 'production'];

interface CreateDestinationProps {
  organisationId: string;
  onClose: () => void;
}

export function CreateDestination({ organisationId, onClose }: CreateDestinationProps): ReactNode {
  const [input, setInput] = useState<Required<NoticeDestinationInput>>({
    kind: 'webhook',
    name: '',
    url: '',
    environments: [...ENVIRONMENTS],
    mutedKinds: [],
  });
  const change = (changes: Partial<NoticeDestinationInput>): void => setInput((before) => ({ ...before, ...changes }));
  const create = useCreateDestination(organisationId);
  if (create.data) {
    const { destination, signingSecret } = create.data;
    return (
      <ShownOnceDialog
        title={`The signing secret of “${destination.name}”`}
        secret={signingSecret}
        noun="signing secret"
        onClose={onClose}
      />
    );
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate({ ...input, name: input.name.trim() });
  };
  const [nameError, urlError] = [fieldError(create.error, '/name'), fieldError(create.error, '/url')];
  return (
    <Modal opened onClose={onClose} title="Add a destination" size="lg">
      <form onSubmit={submit}>
        <Stack>
          {create.error && !nameError && !urlError && <ProblemAlert error={create.error} />}
          <NameInput
            label="Name"
            placeholder="Alerts"
            data-autofocus
            value={input.name}
            error={nameError}
            onChange={(name) => change({ name })}
          />
          <TextInput
            label="Address"
            description="It is stored encrypted and is not shown again."
            placeholder="https://alerts.example.org/slipway"
            required
            withAsterisk={false}
            maxLength={2048}
            value={input.url}
            error={urlError}
            onChange={(event) => change({ url: event.currentTarget.value })}
          />
          <Checkbox.Group
            label="Environments"
            value={input.environments}
            error={input.environments.length === 0 ? 'Select at least one.' : undefined}
            onChange={(chosen) => change({ environments: ENVIRONMENTS.filter((name) => chosen.includes(name)) })}
          >
            <Group mt="xs">
              {ENVIRONMENTS.map((name) => (
                <Checkbox key={name} value={name} label={name} />
              ))}
            </Group>
          </Checkbox.Group>
          <NoticeKinds muted={input.mutedKinds} onChange={(mutedKinds) => change({ mutedKinds })} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending} disabled={input.environments.length === 0}>
              Add
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  );
}
