// Checkboxes for the environments whose notices a signed webhook receives.
import { Checkbox, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import type { NoticeDestination } from '../../kit/api.ts';

type Environment = NoticeDestination['environments'][number];

export const ENVIRONMENTS: readonly Environment[] = ['sandbox', 'production'];

interface EnvironmentsInputProps {
  value: Environment[];
  onChange: (environments: Environment[]) => void;
}

export function EnvironmentsInput({ value, onChange }: EnvironmentsInputProps): ReactNode {
  return (
    <Checkbox.Group
      label="Environments"
      value={value}
      error={value.length === 0 ? 'Select at least one.' : undefined}
      onChange={(chosen) => onChange(ENVIRONMENTS.filter((name) => chosen.includes(name)))}
    >
      <Group mt="xs">
        {ENVIRONMENTS.map((name) => (
          <Checkbox key={name} value={name} label={name} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
