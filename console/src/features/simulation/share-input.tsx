// How often a rule hits, in per cent of the calls.
import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';

interface ShareInputProps {
  value: number | string;
  onChange: (percent: number | string) => void;
}

export function ShareInput({ value, onChange }: ShareInputProps): ReactNode {
  return (
    <NumberInput
      label="How often"
      description="Of the calls that the rule is about. Each is drawn for itself."
      suffix=" %"
      min={0}
      max={100}
      step={5}
      decimalScale={2}
      clampBehavior="strict"
      allowNegative={false}
      required
      withAsterisk={false}
      value={value}
      onChange={onChange}
    />
  );
}

export const shareOf = (percent: number | string): number => Number(percent) / 100;
