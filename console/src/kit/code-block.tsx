// Shows text to read or copy exactly as it is: a command, a body, a response. Never interpreted as markup.
import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './code-block.module.css';
import { CopyIcon } from './copy.tsx';

interface CodeBlockProps {
  /** Name of the region and of the copy button. */
  label: string;
  /** Text, or elements with the text that is copied. */
  children: ReactNode;
  /** The text to copy, if the children are elements. */
  copied?: string;
  maxHeight?: number;
  wraps?: boolean;
}

// Characters that change the text direction are shown as escapes, because a text could otherwise be misread. The copied
// text keeps them.
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const spelled = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** Returns the text as it is shown. */
export const spell = (text: string): string => text.replace(TURNING, spelled);

export function CodeBlock({ label, children, copied, maxHeight = 320, wraps = false }: CodeBlockProps): ReactNode {
  const text = typeof children === 'string' ? children : copied;
  return (
    <Box className={classes.root}>
      <Group className={classes.head} justify="space-between" wrap="nowrap">
        <Text fz="xs" c="dimmed" truncate>
          {label}
        </Text>
        <CopyIcon value={text ?? ''} label={label} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
      <section className={classes.scroll} style={{ maxHeight }} tabIndex={0} aria-label={label}>
        <pre className={wraps ? classes.wrapped : classes.pre}>
          {typeof children === 'string' ? spell(children) : children}
        </pre>
      </section>
    </Box>
  );
}
