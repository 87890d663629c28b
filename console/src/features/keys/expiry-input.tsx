// For how many days a new key is to live.
import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactTime } from '../../kit/time.ts';

export const MAX_DAYS = 30;
const DAY_MS = 86_400_000;

interface ExpiryInputProps {
  value: number | string;
  onChange: (days: number | string) => void;
  error: string | undefined;
}

export function ExpiryInput({ value, onChange, error }: ExpiryInputProps): ReactNode {
  const expiry = new Date(Date.now() + Number(value) * DAY_MS).toISOString();
  return (
    <NumberInput
      label="Expires in days"
      description={`1 to ${MAX_DAYS}. The expiry is fixed when the key is made: ${exactTime(expiry)}.`}
      min={1}
      max={MAX_DAYS}
      clampBehavior="strict"
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
