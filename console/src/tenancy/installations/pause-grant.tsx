// Pauses a server's installation or one scope of it, after a forecast of what the pause stops.

import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ENVIRONMENT_PHRASE, IS_PRODUCTION } from '../../kit/environments.ts';
import { GrantForecast } from './grant-forecast.tsx';
import { stateOf, transitionsOf } from './grant-labels.ts';
import { restrictionChangesOf } from './restriction-labels.ts';
import type { GrantChange } from './use-installations.ts';

interface PauseGrantProps {
  app: AppScope;
  change: GrantChange;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

export function PauseGrant({ app, change, ...rest }: PauseGrantProps): ReactNode {
  const { server, scope } = change;
  const changes = IS_PRODUCTION ? restrictionChangesOf(server, scope) : transitionsOf(stateOf(server, scope), scope);
  return (
    <ConfirmDialog
      isOpen
      title={`Pause ${scope ?? 'the whole installation'} on “${server.serverName}” in ${ENVIRONMENT_PHRASE}?`}
      action="Pause"
      {...rest}
    >
      <Text>{changes.find(({ state }) => state === 'paused')?.consequence}</Text>
      <GrantForecast app={app} change={change} state="paused" />
    </ConfirmDialog>
  );
}
