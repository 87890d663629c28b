// Asks for the reason of a suspension, and describes its effects.
import { List } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api, type OperatedOrganisation } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { LimitedTextarea } from '../../kit/limited-inputs.tsx';
import { useChangeOrganisation } from './use-operator.ts';

export interface OneOrganisationProps {
  organisation: OperatedOrganisation;
  onClose: () => void;
}

export function SuspendOrganisation({ organisation: { id, name }, onClose }: OneOrganisationProps): ReactNode {
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  const suspend = useChangeOrganisation(() => api.suspendOrganisation({ organisationId: id, body: { reason } }));
  return (
    <ConfirmDialog
      isOpen
      isShared
      title={`Suspend “${name}”?`}
      action="Suspend"
      isReady={reason !== ''}
      isPending={suspend.isPending}
      error={suspend.error}
      onConfirm={() => suspend.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <List size="sm" spacing={6}>
        <List.Item>Its members cannot read or change anything from the next request on.</List.Item>
        <List.Item>Its apps are suspended in every environment: calls are refused and deliveries are held.</List.Item>
        <List.Item>Nothing is lost. Resuming restores access and delivers held events.</List.Item>
      </List>
      <LimitedTextarea
        label="Reason"
        description="Members can read the reason, and their audit log records it."
        data-autofocus
        required
        withAsterisk={false}
        autosize
        minRows={2}
        maxRows={6}
        most={500}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
