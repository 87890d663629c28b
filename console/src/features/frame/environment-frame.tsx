// The environment around the whole page, in colour, icon and words, so that nobody mistakes where they are. Pages that
// belong to no environment say so.
import { Group, Text } from '@mantine/core';
import { IconShip, IconUsersGroup } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { SANDBOX } from '../../kit/environments.ts';
import classes from './frame.module.css';

export function EnvironmentBar({ isSandbox }: { isSandbox: boolean }): ReactNode {
  return (
    <Group className={isSandbox ? classes.sandboxBar : classes.sharedBar} gap={8} justify="center" wrap="nowrap">
      {isSandbox ? <IconShip size={16} aria-hidden /> : <IconUsersGroup size={16} aria-hidden />}
      <Text component="span" fz={13} inherit truncate>
        {isSandbox ? (
          <>
            <strong>{SANDBOX.name}</strong> — {SANDBOX.sentence}
          </>
        ) : (
          'Shared by all environments'
        )}
      </Text>
    </Group>
  );
}

/** Above everything, dialogs too; it takes no clicks. */
export function EnvironmentLine(): ReactNode {
  return <div className={classes.line} aria-hidden />;
}
