// Shows the parts of a request's duration as a proportional bar and as text.
import { ColorSwatch, Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RequestDetail } from '../../kit/api.ts';
import { formatMs } from '../../kit/time.ts';

const SWATCH_PX = 9;

interface Part {
  name: string;
  ms: number;
  color: string;
}

function partsOf({ durationMs, authorityMs, operationMs }: RequestDetail): Part[] {
  const otherMs = durationMs - authorityMs - (operationMs ?? 0);
  return [
    { name: 'confirming access', ms: authorityMs, color: 'tide.6' },
    ...(operationMs === null ? [] : [{ name: 'the operation', ms: operationMs, color: 'teal.8' }]),
    // Parts are measured separately, so their sum can exceed the total slightly.
    { name: 'other steps', ms: Math.max(otherMs, 0), color: 'gray.5' },
  ];
}

export function RequestDuration({ request }: { request: RequestDetail }): ReactNode {
  const parts = partsOf(request);
  const sum = parts.reduce((total, { ms }) => total + ms, 0) || 1;
  return (
    <Stack gap={6} pt={3}>
      <Text>{formatMs(request.durationMs)} in total</Text>
      <Progress.Root size={8} aria-hidden>
        {parts.map(({ name, ms, color }) => (
          <Progress.Section key={name} withAria={false} value={(100 * ms) / sum} color={color} />
        ))}
      </Progress.Root>
      <Group gap="2px 10px">
        {parts.map(({ name, ms, color }) => (
          <Group key={name} gap={5} wrap="nowrap">
            <ColorSwatch
              size={SWATCH_PX}
              radius={2}
              color={`var(--mantine-color-${color.replace('.', '-')})`}
              aria-hidden
            />
            <Text fz="xs">
              {formatMs(ms)} {name}
            </Text>
          </Group>
        ))}
      </Group>
    </Stack>
  );
}
