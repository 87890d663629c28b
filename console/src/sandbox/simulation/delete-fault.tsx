// Deletes a fault rule.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppScope, Fault } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ruleSentence } from './effect.ts';
import { useDeleteFault } from './use-simulation.ts';

export interface OneFaultProps {
  scope: AppScope;
  fault: Fault;
  onClose: () => void;
}

export function DeleteFault({ scope, fault, onClose }: OneFaultProps): ReactNode {
  const remove = useDeleteFault(scope);
  return (
    <ConfirmDialog
      isOpen
      title="Delete this sandbox fault rule?"
      action="Delete the rule"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(fault.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>{ruleSentence(fault)}.</Text>
      <Text>No later call is affected. Records of affected calls remain.</Text>
    </ConfirmDialog>
  );
}
