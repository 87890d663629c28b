// The field for the password of the signed-in person, in forms that require it again.
import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';

interface CurrentPasswordProps {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  /** True if it is the first field of a dialog. */
  isFirst?: boolean;
}

export function CurrentPassword({ value, onChange, error, isFirst }: CurrentPasswordProps): ReactNode {
  return (
    <PasswordInput
      label="Your password"
      autoComplete="current-password"
      {...(isFirst && { 'data-autofocus': true })}
      required
      withAsterisk={false}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
