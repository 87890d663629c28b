// Input of a six-digit code, or of a recovery code where one is accepted.
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

const DIGITS = '\\s*[0-9]{6}\\s*';
const RECOVERY_CODE = '\\s*[A-Za-z0-9]{5}-[A-Za-z0-9]{5}\\s*';
const EITHER = '\\s*([0-9]{6}|[A-Za-z0-9]{5}-[A-Za-z0-9]{5})\\s*';

interface CodeInputProps {
  takesAuthenticatorCode?: boolean;
  takesRecoveryCode?: boolean;
  value: string;
  onChange: (code: string) => void;
}

export function CodeInput(props: CodeInputProps): ReactNode {
  const { takesAuthenticatorCode = true, takesRecoveryCode = false, value, onChange } = props;
  const [description, pattern, title] = textsOf(takesAuthenticatorCode, takesRecoveryCode);
  return (
    <TextInput
      label="Code"
      description={description}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="off"
      inputMode={takesRecoveryCode ? 'text' : 'numeric'}
      autoFocus
      data-autofocus // a dialog focuses this element
      required
      withAsterisk={false}
      maxLength={16}
      pattern={pattern}
      title={title}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function textsOf(takesAuthenticatorCode: boolean, takesRecoveryCode: boolean): [string, string, string] {
  if (!takesRecoveryCode) return ['The six digits of your authenticator.', DIGITS, 'Six digits'];
  if (!takesAuthenticatorCode) return ['A recovery code.', RECOVERY_CODE, 'A recovery code such as a1B2c-D3e4F'];
  const title = 'Six digits, or a recovery code such as a1B2c-D3e4F';
  return ['The six digits of your authenticator, or a recovery code.', EITHER, title];
}
