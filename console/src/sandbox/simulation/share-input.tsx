// Input of a rule's share, in per cent of the calls.

import type { ReactNode } from 'react';
import { LimitedNumberInput } from '../../kit/limited-inputs.tsx';

interface ShareInputProps {
  value: number | string;
  onChange: (percent: number | string) => void;
}

export function ShareInput({ value, onChange }: ShareInputProps): ReactNode {
  return (
    <LimitedNumberInput
      label="Share of calls"
      description="The share of matching calls, each chosen at random."
      suffix=" %"
      min={0}
      max={100}
      step={5}
      decimalScale={2}
      allowNegative={false}
      required
      withAsterisk={false}
      value={value}
      onChange={onChange}
    />
  );
}

export const shareOf = (percent: number | string): number => Number(percent) / 100;
