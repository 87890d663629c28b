// Form that creates an object by name: in a dialog, or on an otherwise empty page.
import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { NameInput } from './name-input.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { fieldError } from './problem-text.ts';

export interface NameFormProps<T> {
  placeholder: string;
  /** Verb on the button. */
  action: string;
  create: (name: string) => Promise<T>;
  onCreated: (made: T) => unknown;
  /** Closes the dialog that contains the form. */
  onCancel?: () => void;
}

export function NameForm<T>({ placeholder, action, create, onCreated, onCancel }: NameFormProps<T>): ReactNode {
  const [name, setName] = useState('');
  const save = useMutation({ mutationFn: () => create(name.trim()), onSuccess: onCreated });
  const nameError = fieldError(save.error, '/name');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {save.error && <ProblemAlert error={save.error} fields={['/name']} />}
        <NameInput
          label="Name"
          placeholder={placeholder}
          data-autofocus
          value={name}
          error={nameError}
          onChange={setName}
        />
        <Group justify="flex-end">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={save.isPending} fullWidth={!onCancel}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
