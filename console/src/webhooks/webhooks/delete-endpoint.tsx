// Deletes an endpoint, after describing the consequences.
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import type { AppScope, Endpoint } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { useDeleteEndpoint } from './use-endpoints.ts';

interface DeleteEndpointProps {
  scope: AppScope;
  endpoint: Endpoint;
  onDeleted?: () => void;
  onClose: () => void;
}

export function DeleteEndpoint({ scope, endpoint, onDeleted, onClose }: DeleteEndpointProps): ReactNode {
  const remove = useDeleteEndpoint(scope);
  const confirm = async (): Promise<void> => {
    // A promise, because the callbacks of `mutate` are not called if the page has read the deletion and removed this dialog.
    await remove.mutateAsync(endpoint.id);
    notifications.show({
      color: 'teal',
      title: 'The endpoint is deleted',
      message: `Nothing is sent to ${endpoint.url} any more, and waiting deliveries are cancelled.`,
    });
    onClose();
    onDeleted?.();
  };
  return (
    <ConfirmDialog
      isOpen
      title={`Delete the ${ENVIRONMENT} endpoint?`}
      action="Delete the endpoint"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => void confirm().catch(() => {})} // the dialog shows the error
      onClose={onClose}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        Deliveries to{' '}
        <Text component="span" ff="monospace">
          {endpoint.url}
        </Text>{' '}
        stop, waiting deliveries are cancelled, and its signing secret is erased. Records of its deliveries remain.
      </Text>
    </ConfirmDialog>
  );
}
