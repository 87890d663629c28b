// Renders a description of the contract as paragraphs.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Inline } from '../../kit/inline.tsx';

export function Prose({ children, isDimmed = false }: { children: string; isDimmed?: boolean }): ReactNode {
  if (children === '') return null;
  return (
    <Stack gap={6} maw={720}>
      {children.split(/\n{2,}/).map((paragraph) => (
        <Text key={paragraph} {...(isDimmed && { c: 'dimmed' })}>
          <Inline>{paragraph}</Inline>
        </Text>
      ))}
    </Stack>
  );
}
