// Creates or changes an object by a trigger, with the texts that the member enters.
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AppScope, EventTrigger, EventType } from '../../kit/api.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { LimitedTextarea, LimitedTextInput } from '../../kit/limited-inputs.tsx';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { useServerList } from '../../tenancy/installations/use-server-list.ts';
import { useTriggerEvent } from '../simulation/use-simulation.ts';
import { keepsValues, kindOfId, TRIGGER_FIELDS, TRIGGER_LABELS, type TriggerField } from './kinds.ts';

interface TriggerDialogProps {
  scope: AppScope;
  type: EventType;
  /** The object of the trigger. Undefined: the member selects a server, or the newest suitable object is used. */
  objectId: string | undefined;
  /** True if the object of the trigger is a server. */
  isOnServer: boolean;
  /** The title of the dialog, in place of the effect of the trigger. */
  title?: string;
  /** Selects the type. */
  typeInput?: ReactNode;
  /** Receives the identifier of the object that was created or changed. Not called for an event of an installation. */
  onDone: (objectId: string) => void;
  onClose: () => void;
}

/** The texts, by the name of their field. */
type TriggerTexts = Readonly<Record<string, string>>;

export function TriggerDialog(props: TriggerDialogProps): ReactNode {
  const { scope, type, objectId, isOnServer, typeInput, onDone, onClose } = props;
  const label = TRIGGER_LABELS[type] ?? type;
  const [texts, setTexts] = useState<TriggerTexts>({});
  const [serverId, setServerId] = useState<string | null>(null);
  const trigger = useTriggerEvent(scope);
  const fields = TRIGGER_FIELDS[type] ?? [];
  const isAsked = isOnServer && objectId === undefined;
  const shown = [...(isAsked ? ['/objectId'] : []), ...fields.map(({ name }) => `/set/${name}`)];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    trigger.mutate(triggerOf(type, objectId ?? (isOnServer ? serverId : null), texts), {
      onSuccess: (made) => {
        notifications.show({ color: 'teal', title: `${type} happened`, message: `The event is ${made.id}.` });
        if (kindOfId(made.subject.id) !== undefined) onDone(made.subject.id);
        onClose();
      },
    });
  };
  return (
    <FormDialog onClose={onClose} title={props.title ?? label}>
      <form onSubmit={submit}>
        <Stack>
          {typeInput}
          <Text c="dimmed">
            Triggers {type}. Subscribed endpoints receive the event.
            {fields.length > 0 &&
              (keepsValues(type)
                ? ' Fields that you leave empty keep their value.'
                : ' The sandbox data generates each field that you leave empty.')}
          </Text>
          {isAsked && (
            <ServerSelect
              scope={scope}
              value={serverId}
              error={fieldError(trigger.error, '/objectId')}
              onChange={setServerId}
            />
          )}
          {fields.map((field, index) => (
            <TextField
              key={field.name}
              field={field}
              isFirst={index === 0 && typeInput === undefined}
              value={texts[field.name] ?? ''}
              error={fieldError(trigger.error, `/set/${field.name}`)}
              onChange={(value) => setTexts((old) => ({ ...old, [field.name]: value }))}
            />
          ))}
          {trigger.error && <ProblemAlert error={trigger.error} fields={shown} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={trigger.isPending}>
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}

function triggerOf(type: EventType, objectId: string | null, texts: TriggerTexts): EventTrigger {
  // The member can have entered texts before they selected another type.
  const set = Object.fromEntries(
    (TRIGGER_FIELDS[type] ?? []).flatMap(({ name }) => (texts[name]?.trim() ? [[name, texts[name]]] : [])),
  );
  return { type, ...(objectId !== null && { objectId }), ...(Object.keys(set).length > 0 && { set }) };
}

interface TextFieldProps {
  field: TriggerField;
  isFirst: boolean;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function TextField({ field, isFirst, value, error, onChange }: TextFieldProps): ReactNode {
  const { label, most, isLong, choices } = field;
  const common = { label, error, ...(isFirst && { 'data-autofocus': true }) };
  if (choices) {
    return (
      <Select
        {...common}
        clearable
        placeholder={OWN_CONTRACT ? 'Not set' : 'The next status'}
        data={[...choices]}
        value={value === '' ? null : value}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    );
  }
  const limited = { ...common, most: most ?? 200, value };
  return isLong ? (
    <LimitedTextarea
      {...limited}
      autosize
      minRows={3}
      maxRows={8}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  ) : (
    <LimitedTextInput {...limited} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}

interface ServerSelectProps {
  scope: AppScope;
  value: string | null;
  error: string | undefined;
  onChange: (serverId: string | null) => void;
}

function ServerSelect({ scope, value, error, onChange }: ServerSelectProps): ReactNode {
  const { servers, list } = useServerList(scope);
  return (
    <Select
      label="Server"
      placeholder="The newest server"
      {...list}
      clearable
      data={servers.map((one) => ({ value: one.serverId, label: one.serverName }))}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}
