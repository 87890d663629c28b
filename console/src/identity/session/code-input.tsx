// Input of a six-digit code, or of a recovery code where one is accepted.
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

const DIGITS = '\\s*[0-9]{6}\\s*';
const EITHER = '\\s*([0-9]{6}|[A-Za-z0-9]{5}-[A-Za-z0-9]{5})\\s*';

interface CodeInputProps {
  takesRecoveryCode?: boolean;
  value: string;
  onChange: (code: string) => void;
}

export function CodeInput({ takesRecoveryCode = false, value, onChange }: CodeInputProps): ReactNode {
  return (
    <TextInput
      label="Code"
      description={`The six digits of your authenticator${takesRecoveryCode ? ', or a recovery code' : ''}.`}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="off"
      inputMode={takesRecoveryCode ? 'text' : 'numeric'}
      autoFocus
      data-autofocus // a dialog focuses this element
      required
      withAsterisk={false}
      maxLength={16}
      pattern={takesRecoveryCode ? EITHER : DIGITS}
      title={takesRecoveryCode ? 'Six digits, or a recovery code such as a1B2c-D3e4F' : 'Six digits'}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
