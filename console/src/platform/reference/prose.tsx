// A description of the contract: paragraphs, and what stands in backticks as code. Nothing of it is ever markup.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './reference.module.css';

export function Inline({ children }: { children: string }): ReactNode {
  // Every second part stood between backticks.
  return children.split('`').map((part, index) => {
    const key = `${index}${part}`;
    return index % 2 === 0 ? (
      <span key={key}>{part}</span>
    ) : (
      <code key={key} className={classes.code}>
        {part}
      </code>
    );
  });
}

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
