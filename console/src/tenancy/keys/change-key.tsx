// Changes name and note of a key.
import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AppScope, Key } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { LimitedTextarea } from '../../kit/limited-inputs.tsx';
import { NameInput } from '../../kit/name-input.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { useChangeKey } from './use-keys.ts';

interface ChangeKeyProps {
  scope: AppScope;
  subject: Key;
  onClose: () => void;
}

export function ChangeKey({ scope, subject, onClose }: ChangeKeyProps): ReactNode {
  const [name, setName] = useState(subject.name);
  const [note, setNote] = useState(subject.note ?? '');
  const change = useChangeKey(scope);
  const [nameError, noteError] = [fieldError(change.error, '/name'), fieldError(change.error, '/note')];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = { name: name.trim(), note: note.trim() === '' ? null : note.trim() };
    change.mutate({ keyId: subject.id, body }, { onSuccess: onClose });
  };
  return (
    <FormDialog onClose={onClose} title={`Change the key “${subject.name}”`}>
      <form onSubmit={submit}>
        <Stack>
          <Text c="dimmed">Scopes and expiry are fixed. Generate another key if you need other scopes.</Text>
          {change.error && <ProblemAlert error={change.error} fields={['/name', '/note']} />}
          <NameInput label="Name" data-autofocus value={name} error={nameError} onChange={setName} />
          <LimitedTextarea
            label="Note"
            description="Where the key is stored, and who manages it. Never enter the key itself."
            most={500}
            autosize
            minRows={2}
            value={note}
            error={noteError}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}
