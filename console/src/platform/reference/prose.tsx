// Renders a description of the contract as paragraphs, with text in backticks as code. Markup is never interpreted.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './reference.module.css';

export function Inline({ children }: { children: string }): ReactNode {
  // Every second part was between backticks.
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
