// Input of a new password.
import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';

const MIN_CHARACTERS = 12;

interface NewPasswordInputProps {
  value: string;
  error?: ReactNode;
  onChange: (password: string) => void;
}

export function NewPasswordInput({ value, error, onChange }: NewPasswordInputProps): ReactNode {
  return (
    <PasswordInput
      label="New password"
      description={`At least ${MIN_CHARACTERS} characters. A long sentence is a good password.`}
      autoComplete="new-password"
      required
      withAsterisk={false}
      minLength={MIN_CHARACTERS}
      maxLength={200}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
