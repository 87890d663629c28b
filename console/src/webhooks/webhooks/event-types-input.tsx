// Selects the event types of an endpoint.
import { Box, Checkbox, Group, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EventType } from '../../kit/api.ts';
import { ALL_TYPES, EVENT_TYPES } from './event-types.ts';

interface EventTypesInputProps {
  value: EventType[];
  onChange: (types: EventType[]) => void;
  error: string | undefined;
  /** Content next to a selected type. */
  beside?: (type: EventType) => ReactNode;
}

export function EventTypesInput({ value, onChange, error, beside }: EventTypesInputProps): ReactNode {
  return (
    <Checkbox.Group
      label="Event types"
      error={error}
      value={value}
      onChange={(chosen) => onChange(ALL_TYPES.filter((type) => chosen.includes(type)))}
    >
      <SimpleGrid cols={{ base: 1, md: beside ? 2 : 1 }} spacing="xl" verticalSpacing="xs" mt="xs">
        {ALL_TYPES.map((type) => (
          <Group key={type} justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
            <Checkbox value={type} label={<Text ff="monospace">{type}</Text>} description={EVENT_TYPES[type]} />
            {beside && value.includes(type) && <Box style={{ flexShrink: 0 }}>{beside(type)}</Box>}
          </Group>
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
