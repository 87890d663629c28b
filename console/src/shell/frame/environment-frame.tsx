// Marks the environment around the whole page by colour, pattern, icon and text, so that the two cannot be confused
// without colour vision. Shared pages say that they belong to no environment.
import { Group, Text } from '@mantine/core';
import { IconShip, IconUsersGroup, IconWorld } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { EnvironmentName } from '../../kit/environment-path.ts';
import { ENVIRONMENTS } from '../../kit/environments.ts';
import classes from './frame.module.css';

export const ICONS = { sandbox: IconShip, production: IconWorld, shared: IconUsersGroup };

interface EnvironmentProps {
  /** Undefined on pages that all environments share. */
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

/** Draws a line above everything, dialogs included. It takes no clicks. */
export function EnvironmentLine({ environment }: EnvironmentProps): ReactNode {
  return environment && <div className={classes.line} data-environment={environment} aria-hidden />;
}
