// Sends one delivery now: makes the next attempt of a waiting delivery due, or creates a new delivery after an ended
// one.
import { Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { AppScope, DeliveryDetail } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { toDelivery } from './search.ts';
import { useRedeliver } from './use-deliveries.ts';

interface RedeliverProps {
  scope: AppScope;
  delivery: DeliveryDetail;
}

export function Redeliver({ scope, delivery }: RedeliverProps): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const redeliver = useRedeliver(scope);
  const navigate = useNavigate();
  const send = (): void =>
    redeliver.mutate(delivery.id, {
      onSuccess: (sent) => void navigate(toDelivery(sent.id)),
    });
  const { action, explanation } = describeRedelivery(delivery);
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <GuardedButton
          role={role}
          action="deliveries.redeliver"
          variant="default"
          size="xs"
          disabled={delivery.status === 'held' || delivery.reason === 'earlier_event_first'}
          loading={redeliver.isPending}
          onClick={send}
        >
          {action}
        </GuardedButton>
        <Text c="dimmed" fz="xs">
          {explanation}
        </Text>
      </Group>
      {redeliver.error && <ProblemAlert error={redeliver.error} />}
    </Stack>
  );
}

function describeRedelivery({ status, reason, finishedAt }: DeliveryDetail): { action: string; explanation: string } {
  if (status === 'held')
    return { action: 'Send now', explanation: 'A held delivery continues when the pause or the suspension ends.' };
  if (reason === 'earlier_event_first')
    return { action: 'Send now', explanation: 'The earlier event of the subject is delivered first.' };
  if (finishedAt === null) {
    return {
      action: 'Send now',
      explanation: 'Makes the next attempt due now. The rate and order of the endpoint still apply.',
    };
  }
  return { action: 'Redeliver', explanation: 'Sends the same bytes with a new signature, as a new delivery.' };
}
