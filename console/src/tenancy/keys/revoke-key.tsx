// Revokes a key. Describes the consequences before, and lists the stopped objects afterwards.

import { List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { ChangeForecast } from '../../inspector/forecasts/change-forecast.tsx';
import { ActivityLink } from '../../inspector/key-activity/activity-link.tsx';
import { RevocationMessage } from '../../inspector/receipts/download-receipt.tsx';
import type { AppScope, Endpoint, Key } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { counted } from '../../kit/number.ts';
import { useWholeList } from '../../kit/use-all-pages.ts';
import { useEndpoints } from '../../webhooks/webhooks/use-endpoints.ts';
import { canDeliver, describeUnread, publicText } from './key-labels.ts';
import { useKeys, useRevokeKey } from './use-keys.ts';

interface RevokeKeyProps {
  scope: AppScope;
  subject: Key;
  onClose: () => void;
}

export function RevokeKey({ scope, subject, onClose }: RevokeKeyProps): ReactNode {
  const revoke = useRevokeKey(scope);
  const endpointList = useEndpoints(scope);
  const keyList = useKeys(scope);
  const allEndpoints = useWholeList(endpointList);
  const keys = useWholeList(keyList);
  const endpoints = allEndpoints?.filter((one) => one.keyIds.includes(subject.id)) ?? [];
  const isRead = allEndpoints !== undefined && keys !== undefined;
  const usable = (keys ?? []).filter((key) => key.id !== subject.id && canDeliver(key)).map((key) => key.id);
  const continues = ({ keyIds }: Endpoint): boolean => keyIds.some((keyId) => usable.includes(keyId));
  const stopping = endpoints.filter((one) => !continues(one));
  const continuing = endpoints.filter(continues);
  const confirm = (): void =>
    revoke.mutate(subject.id, {
      onSuccess: ({ continuingEndpoints, receiptId }) => {
        const text = `Every call with ${publicText(subject.kid)} is now refused with revoked_key.${outcome(isRead ? stopping.length : undefined, continuingEndpoints.length)}`;
        notifications.show({
          color: 'teal',
          title: `“${subject.name}” is revoked`,
          message: <RevocationMessage text={text} organisationId={scope.organisationId} receiptIds={[receiptId]} />,
          autoClose: 30_000,
        });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      isOpen
      title={`Revoke the ${ENVIRONMENT} key “${subject.name}”?`}
      action="Revoke the key"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text>This is final and takes effect immediately. It stops:</Text>
      <List size="sm" spacing={6}>
        <List.Item>
          Every call with {publicText(subject.kid)} from now on, and every change that is not committed yet. A read in
          progress can still finish.
        </List.Item>
        <List.Item>
          {isRead
            ? deliveriesSentence(
                stopping.map((one) => one.url),
                continuing.length > 0,
              )
            : `Webhook deliveries through this key. ${describeUnread(endpointList.isError || keyList.isError)}`}
        </List.Item>
      </List>
      {isRead && continuing.length > 0 && (
        <Text>Deliveries to {continuing.map((one) => one.url).join(', ')} continue through another key.</Text>
      )}
      <Text fz="sm">
        <ActivityLink scope={scope} keyId={subject.id} name={subject.name} onFollow={onClose}>
          Show everything that was done with the key
        </ActivityLink>
      </Text>
      {subject.state === 'active' && (
        <ChangeForecast scope={scope} change={{ key: { keyId: subject.id, state: 'revoked' } }} />
      )}
    </ConfirmDialog>
  );
}

function deliveriesSentence(urls: string[], hasContinuing: boolean): string {
  if (urls.length === 0)
    return hasContinuing
      ? 'Webhook attempts in flight through this key. They are made again through another key.'
      : 'No webhooks: no endpoint delivers through this key.';
  return `Webhook deliveries to ${urls.join(', ')}; waiting deliveries are cancelled.`;
}

/** Describes the result of a revocation. `stopped` is undefined if the endpoints were not read. */
function outcome(stopped: number | undefined, continued: number): string {
  if (stopped === 0 && continued === 0) return ' No endpoint delivered through it.';
  const endpoints = stopped === undefined ? 'endpoints without another key' : counted(stopped, 'endpoint');
  const ended = ` Deliveries to ${endpoints} have stopped, and waiting deliveries are cancelled.`;
  const kept = ` Deliveries to ${counted(continued, 'endpoint')} continue through another key.`;
  return `${stopped !== 0 ? ended : ''}${continued > 0 ? kept : ''}`;
}
