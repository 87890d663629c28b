// Creates an access token: asks for its settings, then shows the token once.
import { Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { NameInput } from '../../kit/name-input.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { ShownOnceDialog } from '../../kit/shown-once-dialog.tsx';
import { type TokenSettings, TokenSettingsFields } from './token-settings.tsx';

interface CreateAccessTokenProps {
  organisationId: string;
  onClose: () => void;
}

export function CreateAccessToken({ organisationId, onClose }: CreateAccessTokenProps): ReactNode {
  const [name, setName] = useState('');
  const [input, setWish] = useState<TokenSettings>({ scope: 'read', days: 30 });
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () =>
      api.createAccessToken({
        organisationId,
        body: { name: name.trim(), scope: input.scope, expiresInDays: Number(input.days) },
      }),
    gcTime: 0, // the response contains the secret, so it is not cached
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.accessTokens(organisationId) }),
  });
  if (create.data) {
    const { accessToken, token } = create.data;
    return (
      <ShownOnceDialog
        title={`Your access token “${accessToken.name}”`}
        secret={token}
        noun="access token"
        advice="Anyone with this token can act in your name. Keep it out of repositories and logs."
        onClose={onClose}
      />
    );
  }
  const nameError = fieldError(create.error, '/name');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <FormDialog onClose={onClose} title="Create an access token">
      <form onSubmit={submit}>
        <Stack>
          {create.error && <ProblemAlert error={create.error} fields={['/name']} />}
          <NameInput
            label="Name"
            description="Where the token is used."
            placeholder="My laptop"
            data-autofocus
            value={name}
            error={nameError}
            onChange={setName}
          />
          <TokenSettingsFields wish={input} onChange={setWish} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}
