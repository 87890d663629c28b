// A copy button that confirms the copy, and an identifier with such a button.
import { ActionIcon, CopyButton, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { hint } from './hints.tsx';

export function CopyIcon({ value, label }: { value: string; label: string }): ReactNode {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color={copied ? 'teal' : 'gray'}
          size="sm"
          aria-label={copied ? `Copied ${label}` : `Copy ${label}`}
          {...hint(copied ? 'Copied' : `Copy ${label}`)}
          onClick={(event) => {
            event.stopPropagation(); // the button can be in a row that opens on a click
            copy();
          }}
        >
          {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}

interface CopyIdProps {
  value: string;
  /** Name of the value, as in "Copy request id". */
  label: string;
  /** Shorter text to show in place of a long value. */
  shown?: string;
}

export function CopyId({ value, label, shown }: CopyIdProps): ReactNode {
  return (
    <Group component="span" gap={2} wrap="nowrap" display="inline-flex" maw="100%">
      <Text component="span" ff="monospace" fz={12.5} truncate title={value}>
        {shown ?? value}
      </Text>
      <CopyIcon value={value} label={label} />
    </Group>
  );
}
