// An HTTP status in colour and number.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './requests.module.css';

const CLASSES = ['other', 'other', 'good', 'moved', 'refused', 'broken'] as const;

export function StatusText({ status }: { status: number }): ReactNode {
  const kind = CLASSES[Math.floor(status / 100)] ?? 'other';
  return (
    <Text component="span" className={classes.status} data-kind={kind} ff="monospace" fz={13} fw={600}>
      {status}
    </Text>
  );
}
