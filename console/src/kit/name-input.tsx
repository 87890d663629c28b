// Input for a name that the API accepts: not empty, at most 100 characters.
import type { TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { LimitedTextInput } from './limited-inputs.tsx';

interface NameInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onChange: (name: string) => void;
}

export function NameInput({ onChange, ...props }: NameInputProps): ReactNode {
  return (
    <LimitedTextInput
      required
      withAsterisk={false}
      most={100}
      pattern=".*\S.*"
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  );
}
