// Selects scopes, each with its description. None is preselected, because a key should have only the scopes that it
// needs.
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Scope } from '../../kit/api.ts';
import { SCOPE_MEANING, SCOPE_PRESETS, SCOPES } from '../../kit/scopes.ts';

interface ScopePickerProps {
  value: Scope[];
  onChange: (scopes: Scope[]) => void;
  error: string | undefined;
  /** Scopes that can be selected, if some cannot. */
  approved?: readonly Scope[] | undefined;
}

export function ScopePicker({ value, onChange, error, approved = SCOPES }: ScopePickerProps): ReactNode {
  return (
    <Checkbox.Group
      label="Scopes"
      description="Select only the scopes that the integration needs. A leaked key then permits less."
      error={error}
      value={value}
      onChange={(chosen) => onChange(SCOPES.filter((scope) => chosen.includes(scope)))}
    >
      <Stack gap="xs" my="xs">
        <Group gap={6}>
          <Text fz="xs" c="dimmed">
            Presets:
          </Text>
          {SCOPE_PRESETS.filter(({ scopes }) => scopes.every((scope) => approved.includes(scope))).map((preset) => (
            <Button key={preset.name} size="compact-xs" variant="default" onClick={() => onChange([...preset.scopes])}>
              {preset.name}
            </Button>
          ))}
        </Group>
        {SCOPES.filter((scope) => approved.includes(scope)).map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={
              <Text component="span" ff="monospace" fz={13}>
                {scope}
              </Text>
            }
            description={SCOPE_MEANING[scope]}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
