// Creates a destination of notices: asks for its settings, then shows the signing secret of a webhook once.
import { Button, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { NoticeDestination, NoticeDestinationInput } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { NameInput } from '../../kit/name-input.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { ShownOnceDialog } from '../../kit/shown-once-dialog.tsx';
import { ENVIRONMENTS, EnvironmentsInput } from './environments-input.tsx';
import { NoticeKinds } from './notice-kinds.tsx';
import { useCreateDestination } from './use-destinations.ts';

type Kind = NoticeDestination['kind'];

export const KIND_LABELS: Record<Kind, string> = {
  webhook: 'Signed webhook',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
};
const KINDS = Object.keys(KIND_LABELS) as Kind[]; // the keys of the record above

const PLACEHOLDERS: Record<Kind, string> = {
  webhook: 'https://alerts.example.org/slipway',
  slack: 'https://hooks.slack.com/services/…',
  teams: 'https://….logic.azure.com/workflows/…',
  pagerduty: 'https://events.pagerduty.com/v2/enqueue',
};

interface CreateDestinationProps {
  organisationId: string;
  onClose: () => void;
}

export function CreateDestination({ organisationId, onClose }: CreateDestinationProps): ReactNode {
  const [input, setInput] = useState<Required<NoticeDestinationInput>>({
    kind: 'webhook',
    name: '',
    url: '',
    routingKey: '',
    environments: [...ENVIRONMENTS],
    mutedKinds: [],
  });
  const change = (changes: Partial<NoticeDestinationInput>): void => setInput((before) => ({ ...before, ...changes }));
  const create = useCreateDestination(organisationId, onClose);
  if (create.data?.signingSecret) {
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
    const { routingKey, environments, ...rest } = input;
    create.mutate({
      ...rest,
      name: input.name.trim(),
      // Other kinds receive notices of production only.
      ...(input.kind === 'webhook' && { environments }),
      ...(input.kind === 'pagerduty' && { routingKey }),
    });
  };
  const [nameError, urlError, keyError] = [
    fieldError(create.error, '/name'),
    fieldError(create.error, '/url'),
    fieldError(create.error, '/routingKey'),
  ];
  return (
    <FormDialog onClose={onClose} title="Add a destination" size="lg">
      <form onSubmit={submit}>
        <Stack>
          {create.error && <ProblemAlert error={create.error} fields={['/name', '/url', '/routingKey']} />}
          <NativeSelect
            label="Kind"
            description={input.kind === 'webhook' ? undefined : 'It receives notices of production only.'}
            data={KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
            value={input.kind}
            onChange={(event) => change({ kind: event.currentTarget.value as Kind })} // one of KINDS
          />
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
            placeholder={PLACEHOLDERS[input.kind]}
            required
            withAsterisk={false}
            maxLength={2048}
            value={input.url}
            error={urlError}
            onChange={(event) => change({ url: event.currentTarget.value })}
          />
          {input.kind === 'pagerduty' && (
            <PasswordInput
              label="Integration key"
              description="The key of an integration with the Events API v2. It is stored encrypted."
              required
              withAsterisk={false}
              autoComplete="off"
              minLength={32}
              maxLength={32}
              value={input.routingKey}
              error={keyError}
              onChange={(event) => change({ routingKey: event.currentTarget.value })}
            />
          )}
          {input.kind === 'webhook' && (
            <EnvironmentsInput value={input.environments} onChange={(environments) => change({ environments })} />
          )}
          <NoticeKinds muted={input.mutedKinds} onChange={(mutedKinds) => change({ mutedKinds })} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={create.isPending}
              disabled={input.kind === 'webhook' && input.environments.length === 0}
            >
              Add
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}
