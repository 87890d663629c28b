// The buttons of a long dialog: they stay in sight while what is above them scrolls.
import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import tokens from './tokens.module.css';

export function DialogActions({ children }: { children: ReactNode }): ReactNode {
  return (
    <Group justify="flex-end" className={tokens.dialogActions ?? ''}>
      {children}
    </Group>
  );
}
