// Selects the event types of an endpoint.
import { Box, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Endpoint, EventType } from '../../kit/api.ts';
import { ALL_TYPES, EVENT_TYPES, receivedTypes } from './event-types.ts';

interface EventTypesInputProps {
  value: Endpoint['eventTypes'];
  onChange: (types: Endpoint['eventTypes']) => void;
  error: string | undefined;
  /** Content next to a selected type. */
  renderAside?: (type: EventType) => ReactNode;
}

export function EventTypesInput({ value, onChange, error, renderAside }: EventTypesInputProps): ReactNode {
  const isEveryType = value.includes('*');
  const received = receivedTypes(value);
  return (
    <Checkbox.Group
      label="Event types"
      error={error}
      value={received}
      onChange={(chosen) => onChange(ALL_TYPES.filter((type) => chosen.includes(type)))}
    >
      <Stack gap="xs" mt="xs">
        <Checkbox
          label="Every type"
          description="Including types of later releases."
          checked={isEveryType}
          onChange={(event) => onChange(event.currentTarget.checked ? ['*'] : received)}
        />
        <SimpleGrid cols={{ base: 1, md: renderAside ? 2 : 1 }} spacing="xl" verticalSpacing="xs">
          {ALL_TYPES.map((type) => (
            <Group key={type} justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
              <Checkbox
                value={type}
                disabled={isEveryType}
                label={<Text ff="monospace">{type}</Text>}
                description={EVENT_TYPES[type]}
              />
              {renderAside && received.includes(type) && <Box style={{ flexShrink: 0 }}>{renderAside(type)}</Box>}
            </Group>
          ))}
        </SimpleGrid>
      </Stack>
    </Checkbox.Group>
  );
}
