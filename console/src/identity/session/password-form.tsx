// Sets the first password, or replaces the current one.
import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api } from '../../kit/api.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { NewPasswordInput } from './new-password-input.tsx';

interface PasswordFormProps {
  email: string;
  /** True if the current password is required. */
  hasPassword: boolean;
  onDone: () => void;
  /** Content next to the button. */
  children?: ReactNode;
}

export function PasswordForm({ email, hasPassword, onDone, children }: PasswordFormProps): ReactNode {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => api.setPassword({ body: { password, ...(hasPassword && { currentPassword: current }) } }),
    onSuccess: async () => {
      setCurrent('');
      setPassword('');
      await queries.invalidateQueries({ queryKey: queryKeys.session });
      onDone();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  const currentError = fieldError(save.error, '/currentPassword');
  return (
    <form onSubmit={submit}>
      <Stack>
        {save.error && <ProblemAlert error={save.error} fields={['/currentPassword']} />}
        {/* Password managers store a password under this user name. */}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        {hasPassword && (
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={current}
            error={currentError}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
        )}
        <NewPasswordInput value={password} onChange={setPassword} />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {hasPassword ? 'Change password' : 'Set password'}
          </Button>
          {children}
        </Group>
      </Stack>
    </form>
  );
}
