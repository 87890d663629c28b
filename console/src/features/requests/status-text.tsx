// An HTTP status in colour and number. A call whose connection was reset on demand has none.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './requests.module.css';

const CLASSES = ['other', 'other', 'good', 'moved', 'refused', 'broken'] as const;

export function StatusText({ status }: { status: number | null }): ReactNode {
  const kind = CLASSES[Math.floor((status ?? 500) / 100)] ?? 'other';
  return (
    <Text component="span" className={classes.status} data-kind={kind} ff="monospace" fz={13} fw={600}>
      {status ?? 'reset'}
    </Text>
  );
}
