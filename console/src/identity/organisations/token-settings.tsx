// Input fields of an access token: scope and lifetime.
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AccessToken } from '../../kit/api.ts';
import { LimitedNumberInput } from '../../kit/limited-inputs.tsx';

const MAX_DAYS = 365;
const SCOPES = [
  { value: 'read', label: 'Read only' },
  { value: 'write', label: 'Read and change' },
] satisfies { value: AccessToken['scope']; label: string }[];

export interface TokenSettings {
  scope: AccessToken['scope'];
  /** Text of the input. */
  days: number | string;
}

interface TokenSettingsFieldsProps {
  wish: TokenSettings;
  onChange: (input: TokenSettings) => void;
}

export function TokenSettingsFields({ wish, onChange }: TokenSettingsFieldsProps): ReactNode {
  return (
    <>
      <NativeSelect
        label="Access"
        description="The token acts within your role. It cannot manage people, accounts or tokens."
        data={SCOPES}
        value={wish.scope}
        onChange={(event) => onChange({ ...wish, scope: event.currentTarget.value as AccessToken['scope'] })} // one of SCOPES
      />
      <LimitedNumberInput
        label="Expires in days"
        min={1}
        max={MAX_DAYS}
        allowDecimal={false}
        required
        withAsterisk={false}
        value={wish.days}
        onChange={(days) => onChange({ ...wish, days })}
      />
    </>
  );
}
