// Input fields of a simulated effect: a problem, a delay or a connection reset. A problem and a reset can follow a
// delay.
import { Input, SegmentedControl, Select, Stack } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { LimitedNumberInput } from '../../kit/limited-inputs.tsx';
import { useReference } from '../../platform/reference/use-reference.ts';
import { EFFECT_KINDS, type EffectInput, type EffectKind, type FaultCode, MAX_LATENCY_MS } from './effect.ts';

interface EffectFieldsProps {
  value: EffectInput;
  onChange: (input: EffectInput) => void;
}

export function EffectFields({ value, onChange }: EffectFieldsProps): ReactNode {
  const labelId = useId();
  const { data: reference } = useReference();
  // Problems that the sandbox's /v1 returns.
  const problems = reference?.problems.filter((one) => one.servedBy === '') ?? [];
  const chosen = problems.find((one) => one.code === value.code);
  return (
    <Stack gap="sm">
      <Stack gap={4}>
        <Input.Label id={labelId} labelElement="div">
          Effect
        </Input.Label>
        <SegmentedControl<EffectKind>
          aria-labelledby={labelId}
          data={[...EFFECT_KINDS]}
          value={value.kind}
          onChange={(kind) => onChange({ ...value, kind })}
          fullWidth
        />
      </Stack>
      {value.kind === 'problem' && (
        <Select
          label="Problem"
          description={chosen?.meaning ?? ' '}
          searchable
          allowDeselect={false}
          data={problems.map(({ code, status }) => ({ value: code, label: `${status} ${code}` }))}
          value={value.code}
          // One of the contract's codes.
          onChange={(code) => code !== null && onChange({ ...value, code: code as FaultCode })}
        />
      )}
      <LimitedNumberInput
        label={value.kind === 'latency' ? 'Delay' : 'Delay (optional)'}
        description={
          value.kind === 'latency'
            ? 'The operation continues after the delay, and its access is checked again.'
            : 'At most 30 seconds.'
        }
        suffix=" ms"
        thousandSeparator=","
        min={1}
        max={MAX_LATENCY_MS}
        step={100}
        allowDecimal={false}
        allowNegative={false}
        required={value.kind === 'latency'}
        withAsterisk={false}
        value={value.latencyMs}
        onChange={(latencyMs) => onChange({ ...value, latencyMs })}
      />
    </Stack>
  );
}
