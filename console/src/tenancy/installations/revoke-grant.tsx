// Revokes a server's installation or one scope of it, after describing the consequences.

import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { IS_PRODUCTION, PLACE } from '../../kit/environments.ts';
import { eventsOf } from './grant-words.ts';
import type { GrantChange } from './use-installations.ts';

interface RevokeGrantProps {
  change: GrantChange;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

export function RevokeGrant({ change, ...rest }: RevokeGrantProps): ReactNode {
  const { server, scope } = change;
  const what = scope ?? 'the whole installation';
  return (
    <ConfirmDialog isOpen title={`Revoke ${what} on “${server.serverName}” in ${PLACE}?`} action="Revoke" {...rest}>
      <Text>It takes effect at once. What stops:</Text>
      <List size="sm" spacing={6}>
        <List.Item>
          {scope === undefined ? 'Every call on this server.' : `Calls on this server that need ${scope}.`} They answer
          installation_revoked.
        </List.Item>
        <List.Item>
          The feed and deliveries of {scope === undefined ? 'all events of the server' : eventsOf(scope)}. Deliveries
          that wait or are held are cancelled for good.
        </List.Item>
      </List>
      <Text c="dimmed">
        {IS_PRODUCTION
          ? 'Your organisation withholds it until a member resumes it. Resuming makes a new grant, brings nothing back that was cancelled, and grants no more than the upstream API allows then. The upstream API is not called.'
          : 'A revocation is final. Authorising later makes a new grant and brings nothing back.'}
      </Text>
    </ConfirmDialog>
  );
}
