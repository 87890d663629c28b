// Revokes a server's installation or one scope of it, after describing the consequences.

import { Code, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppScope } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ENVIRONMENT_PHRASE, IS_PRODUCTION } from '../../kit/environments.ts';
import { GrantForecast } from './grant-forecast.tsx';
import { eventsOf } from './grant-labels.ts';
import type { GrantChange } from './use-installations.ts';

interface RevokeGrantProps {
  app: AppScope;
  change: GrantChange;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

export function RevokeGrant({ app, change, ...rest }: RevokeGrantProps): ReactNode {
  const { server, scope } = change;
  const what = scope ?? 'the whole installation';
  return (
    <ConfirmDialog
      isOpen
      title={`Revoke ${what} on “${server.serverName}” in ${ENVIRONMENT_PHRASE}?`}
      action="Revoke"
      {...rest}
    >
      <Text>It takes effect immediately. It stops:</Text>
      <List size="sm" spacing={6}>
        <List.Item>
          {scope === undefined ? 'Every call on this server' : `Calls on this server that need ${scope}`}: the answer is
          403 with <Code>installation_revoked</Code>.
        </List.Item>
        <List.Item>
          The feed and deliveries of {scope === undefined ? 'all events of the server' : eventsOf(scope)}. Waiting and
          held deliveries are cancelled permanently.
        </List.Item>
      </List>
      <GrantForecast app={app} change={change} state="revoked" />
      <Text c="dimmed">
        {IS_PRODUCTION
          ? 'Your organisation withholds the grant until a member resumes it. Resuming creates a new grant, restores no cancelled delivery, and grants no more than the upstream API allows. The upstream API is not called.'
          : 'A revocation is final. Authorising later creates a new grant and restores nothing.'}
      </Text>
    </ConfirmDialog>
  );
}
