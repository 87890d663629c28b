// The environment around the whole page, in colour, pattern, icon and words, so that nobody mistakes where they are, whichever colours
// they see. Pages that belong to no environment say so.
import { Group, Text } from '@mantine/core';
import { IconShip, IconUsersGroup, IconWorld } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ENVIRONMENTS } from '../../kit/environments.ts';
import type { EnvironmentName } from '../../kit/here.ts';
import classes from './frame.module.css';

export const ICONS = { sandbox: IconShip, production: IconWorld, shared: IconUsersGroup };

interface EnvironmentProps {
  /** Absent: what all environments share. */
  environment: EnvironmentName | undefined;
}

export function EnvironmentBar({ environment }: EnvironmentProps): ReactNode {
  const Icon = ICONS[environment ?? 'shared'];
  const words = environment && ENVIRONMENTS[environment];
  return (
    <Group className={classes.environment} data-environment={environment} gap={8} justify="center" wrap="nowrap">
      <Icon size={16} aria-hidden />
      <Text component="span" fz={13} inherit truncate>
        {words ? (
          <>
            <strong>{words.name}</strong> — {words.sentence}
          </>
        ) : (
          'Shared by all environments'
        )}
      </Text>
    </Group>
  );
}

/** Above everything, dialogs too; it takes no clicks. */
export function EnvironmentLine({ environment }: EnvironmentProps): ReactNode {
  return environment && <div className={classes.line} data-environment={environment} aria-hidden />;
}
