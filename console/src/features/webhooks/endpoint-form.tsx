// The form of a new endpoint.
import { Anchor, Button, Checkbox, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AppScope, EventType } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { useSandbox } from '../../kit/environments.ts';
import { fieldError } from '../../kit/mends.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { KeySelect } from './key-select.tsx';
import type { useCreateEndpoint } from './use-endpoints.ts';

const EVENT_TYPES: Record<EventType, string> = {
  'publication.published': 'A publication appeared. The event includes the publication.',
  'publication.updated': 'A publication was edited. The event includes the publication.',
  'publication.archived': 'A publication was archived. The event includes the publication.',
  'roadmap.item_created': 'A roadmap item was proposed. The event includes the item.',
  'roadmap.item_moved': 'A roadmap item moved to another status. The event includes the item.',
  'ticket.created': 'A ticket was created. The event includes the ticket.',
  'ticket.updated': 'A ticket was answered or resolved. The event includes the ticket.',
  'ticket.closed': 'A ticket was closed. The event includes the ticket.',
  'workflow_run.started': 'A workflow run began. The event includes the run.',
  'workflow_run.succeeded': 'A workflow run succeeded. The event includes the run and its output.',
  'workflow_run.failed': 'A workflow run failed. The event includes the run.',
  'server.updated': 'A server changed. The event includes the server.',
  'installation.paused': 'A server paused the app. The event carries no resource.',
  'installation.resumed': 'A server resumed the app. The event carries no resource.',
  ping: 'A test that carries no resource.',
};
const ALL_TYPES = Object.keys(EVENT_TYPES) as EventType[]; // Object.keys forgets what it was given

interface EndpointFormProps {
  scope: AppScope;
  create: ReturnType<typeof useCreateEndpoint>;
  onClose: () => void;
}

export function EndpointForm({ scope, create, onClose }: EndpointFormProps): ReactNode {
  const [url, setUrl] = useState('');
  const [keyId, setKeyId] = useState<string | null>(null);
  const [eventTypes, setEventTypes] = useState<EventType[]>(['ticket.created']);
  const [description, setDescription] = useState('');
  const [wasTried, setTried] = useState(false);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (keyId !== null && eventTypes.length > 0)
      create.mutate({ url, keyId, eventTypes, description: description.trim() });
  };
  const problemOf = (pointer: string, isMissing: boolean, sentence: string): string | undefined =>
    wasTried && isMissing ? sentence : fieldError(create.error, pointer);
  return (
    <Modal opened onClose={onClose} title="Add an endpoint in the sandbox" size="lg">
      <form onSubmit={submit}>
        <Stack>
          {create.error && <ProblemAlert error={create.error} />}
          <UrlInput value={url} onChange={setUrl} error={fieldError(create.error, '/url')} />
          <KeySelect
            scope={scope}
            value={keyId}
            onChange={setKeyId}
            error={problemOf('/keyId', keyId === null, 'Choose the key that it delivers through.')}
          />
          <Checkbox.Group
            label="Event types"
            error={problemOf('/eventTypes', eventTypes.length === 0, 'Choose at least one type.')}
            value={eventTypes}
            onChange={(chosen) => setEventTypes(ALL_TYPES.filter((type) => chosen.includes(type)))}
          >
            <Stack gap="xs" mt="xs">
              {ALL_TYPES.map((type) => (
                <Checkbox
                  key={type}
                  value={type}
                  label={<Text ff="monospace">{type}</Text>}
                  description={EVENT_TYPES[type]}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <TextInput
            label="Description (optional)"
            maxLength={200}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Add
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  );
}

// The plane knows the receiver by its number: a name that leads to this machine is refused like any private address.
function hooksOf(receiverUrl: string): string {
  const url = new URL('/hooks', receiverUrl);
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1';
  return url.href;
}

interface UrlInputProps {
  value: string;
  onChange: (url: string) => void;
  error: string | undefined;
}

function UrlInput({ value, onChange, error }: UrlInputProps): ReactNode {
  const receiverUrl = useSandbox()?.receiverUrl;
  return (
    <Stack gap={4}>
      <TextInput
        label="URL"
        description="An https address that is reachable from the internet. For a receiver on this machine, the operator names it in SLIPWAY_WEBHOOK_ALLOW_HOSTS, such as 127.0.0.1:4395."
        placeholder="https://bridge.example.org/hooks/slipway"
        type="url"
        data-autofocus
        required
        withAsterisk={false}
        maxLength={2048}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {receiverUrl && (
        <Text fz="xs" c="dimmed">
          <Anchor component="button" type="button" fz="xs" onClick={() => onChange(hooksOf(receiverUrl))}>
            Use the demo’s receiver
          </Anchor>
          . It verifies whatever arrives and shows it.
        </Text>
      )}
    </Stack>
  );
}
