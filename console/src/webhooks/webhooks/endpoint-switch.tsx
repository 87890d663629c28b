// Disables an endpoint after describing the consequences, or enables it again.
import { Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { ChangeForecast } from '../../inspector/forecasts/change-forecast.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { Inline } from '../../kit/inline.tsx';
import { describeProblem } from '../../kit/problem-text.ts';
import type { EndpointContext, EndpointDialogProps } from './endpoint-frame.tsx';
import { useUpdateEndpoint } from './use-endpoints.ts';

export function EndpointSwitch({ scope, endpoint, role }: EndpointContext): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const update = useUpdateEndpoint(scope, endpoint.id);
  const enable = (): void =>
    update.mutate(
      { state: 'enabled' },
      {
        onSuccess: () =>
          notifications.show({
            color: 'teal',
            title: 'The endpoint is enabled',
            message: 'Events from now on are sent to it. Skipped deliveries can be redelivered.',
          }),
        onError: (error) =>
          notifications.show({
            color: 'red',
            title: 'Not changed',
            message: <Inline>{describeProblem(error).fix}</Inline>,
          }),
      },
    );
  const isEnabled = endpoint.state === 'enabled';
  return (
    <>
      <GuardedButton
        role={role}
        action="endpoints.change"
        variant="default"
        size="xs"
        loading={update.isPending && !isOpen}
        onClick={isEnabled ? dialog.open : enable}
      >
        {isEnabled ? 'Disable' : 'Enable'}
      </GuardedButton>
      {isOpen && <DisableEndpoint scope={scope} endpoint={endpoint} onClose={dialog.close} />}
    </>
  );
}

function DisableEndpoint({ scope, endpoint, onClose }: EndpointDialogProps): ReactNode {
  const [reason, setReason] = useState('');
  const update = useUpdateEndpoint(scope, endpoint.id);
  const disabledReason = reason.trim();
  return (
    <ConfirmDialog
      isOpen
      title={`Disable the ${ENVIRONMENT} endpoint?`}
      action="Disable the endpoint"
      isPending={update.isPending}
      error={update.error}
      onConfirm={() =>
        update.mutate({ state: 'disabled', ...(disabledReason !== '' && { disabledReason }) }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        Nothing is sent to{' '}
        <Text component="span" ff="monospace">
          {endpoint.url}
        </Text>{' '}
        any more: waiting deliveries are cancelled, and later events are recorded as skipped. Both can be redelivered.
      </Text>
      <ChangeForecast scope={scope} change={{ endpoint: { endpointId: endpoint.id, state: 'disabled' } }} />
      <TextInput
        label="Reason (optional)"
        placeholder="The bridge moves to another host."
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
