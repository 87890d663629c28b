// Buttons of a long dialog, which stay visible while the content above scrolls.
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
