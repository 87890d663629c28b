// The logo: a ship on a slipway, and the name.
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './frame.module.css';

export function Wordmark({ size = 'sm' }: { size?: 'sm' | 'lg' }): ReactNode {
  const px = size === 'lg' ? 34 : 24;
  return (
    <Group gap={size === 'lg' ? 10 : 8} wrap="nowrap">
      <img src="/favicon.svg" width={px} height={px} alt="" />
      <Text
        className={classes.name ?? ''}
        component="span"
        fw={680}
        fz={size === 'lg' ? 24 : 17}
        lts="-0.02em"
        c="var(--mantine-color-text)"
      >
        Slipway
      </Text>
    </Group>
  );
}
