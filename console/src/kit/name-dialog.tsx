// Asks for the name of something new, and makes it.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { fieldError } from './mends.ts';
import { ProblemAlert } from './problem-alert.tsx';

interface NameDialogProps<T> {
  title: string;
  description: string;
  placeholder: string;
  action: string;
  create: (name: string) => Promise<T>;
  onCreated: (made: T) => unknown;
  onClose: () => void;
}

export function NameDialog<T>(props: NameDialogProps<T>): ReactNode {
  const { title, description, placeholder, action, create, onCreated, onClose } = props;
  const [name, setName] = useState('');
  const save = useMutation({ mutationFn: () => create(name.trim()), onSuccess: onCreated });
  const nameError = fieldError(save.error, '/name');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
          <Text c="dimmed">{description}</Text>
          {save.error && !nameError && <ProblemAlert error={save.error} />}
          <TextInput
            label="Name"
            placeholder={placeholder}
            data-autofocus
            required
            withAsterisk={false}
            maxLength={100}
            pattern=".*\S.*"
            value={name}
            error={nameError}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
