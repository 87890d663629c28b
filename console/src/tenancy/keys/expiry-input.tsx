// Input of a new key's lifetime in days.

import type { ReactNode } from 'react';
import { LimitedNumberInput } from '../../kit/limited-inputs.tsx';
import { exactTime } from '../../kit/time.ts';

export const MAX_DAYS = 30;
const DAY_MS = 86_400_000;

interface ExpiryInputProps {
  value: number | string;
  onChange: (days: number | string) => void;
  error: string | undefined;
}

export function ExpiryInput({ value, onChange, error }: ExpiryInputProps): ReactNode {
  const days = Number(value);
  const isPossible = days >= 1 && days <= MAX_DAYS;
  const expiry = isPossible ? `: ${exactTime(new Date(Date.now() + days * DAY_MS).toISOString())}` : '';
  return (
    <LimitedNumberInput
      label="Expires in days"
      description={`1 to ${MAX_DAYS}. The expiry is fixed when the key is made${expiry}.`}
      min={1}
      max={MAX_DAYS}
      allowDecimal={false}
      required
      withAsterisk={false}
      w={{ base: '100%', sm: 300 }}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
