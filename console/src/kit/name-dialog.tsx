// Dialog that asks for the name of a new object and creates it.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog.tsx';
import { NameForm, type NameFormProps } from './name-form.tsx';

interface NameDialogProps<T> extends Omit<NameFormProps<T>, 'onCancel'> {
  title: string;
  description: string;
  onClose: () => void;
}

export function NameDialog<T>({ title, description, onClose, ...form }: NameDialogProps<T>): ReactNode {
  return (
    <FormDialog onClose={onClose} title={title}>
      <Stack>
        <Text c="dimmed">{description}</Text>
        <NameForm {...form} onCancel={onClose} />
      </Stack>
    </FormDialog>
  );
}
