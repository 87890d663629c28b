// Revokes a key. Describes the consequences before, and lists the stopped objects afterwards.

import { List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import type { AppScope, Key } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { CURRENT_ENVIRONMENT } from '../../kit/environments.ts';
import { useEndpoints } from '../../webhooks/webhooks/use-endpoints.ts';
import { publicText } from './key-labels.ts';
import { useRevokeKey } from './use-keys.ts';

interface RevokeKeyProps {
  scope: AppScope;
  subject: Key;
  onClose: () => void;
}

export function RevokeKey({ scope, subject, onClose }: RevokeKeyProps): ReactNode {
  const revoke = useRevokeKey(scope);
  const endpoints = useEndpoints(scope).items?.filter((one) => one.keyId === subject.id) ?? [];
  const confirm = (): void =>
    revoke.mutate(subject.id, {
      onSuccess: () => {
        notifications.show({
          color: 'teal',
          title: `“${subject.name}” is revoked`,
          message: `Every call with ${publicText(subject.kid)} is now refused with revoked_key.${stopped(endpoints.length)}`,
          autoClose: 10_000,
        });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      isOpen
      title={`Revoke the ${CURRENT_ENVIRONMENT.name.toLowerCase()} key “${subject.name}”?`}
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
        <List.Item>{deliveriesSentence(endpoints.map((one) => one.url))}</List.Item>
      </List>
    </ConfirmDialog>
  );
}

function deliveriesSentence(urls: string[]): string {
  if (urls.length === 0) return 'No webhooks: no endpoint delivers through this key.';
  return `Webhook deliveries to ${urls.join(', ')}; waiting deliveries are cancelled.`;
}

function stopped(endpointCount: number): string {
  if (endpointCount === 0) return ' No endpoint delivered through it.';
  const noun = endpointCount === 1 ? 'endpoint' : 'endpoints';
  return ` Deliveries to ${endpointCount} ${noun} have stopped, and waiting deliveries are cancelled.`;
}
