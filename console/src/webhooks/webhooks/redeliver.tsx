// Redelivers one delivery, and links to the new one.
import { Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { AppScope, DeliveryDetail } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import type { WebhooksSearch } from './search.ts';
import { useRedeliver } from './use-deliveries.ts';

interface RedeliverProps {
  scope: AppScope;
  search: WebhooksSearch;
  delivery: DeliveryDetail;
}

export function Redeliver({ scope, search, delivery }: RedeliverProps): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const redeliver = useRedeliver(scope);
  const navigate = useNavigate();
  const send = (): void =>
    redeliver.mutate(delivery.id, {
      onSuccess: (made) =>
        void navigate({
          to: '/in/$organisationId/apps/$appId/webhooks',
          params: scope,
          search: { ...search, delivery: made.id },
          resetScroll: false,
        }),
    });
  const isUnderWay = delivery.finishedAt === null;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <GuardedButton
          role={role}
          action="deliveries.redeliver"
          variant="default"
          size="xs"
          disabled={isUnderWay}
          loading={redeliver.isPending}
          onClick={send}
        >
          Redeliver
        </GuardedButton>
        <Text c="dimmed" fz="xs">
          {isUnderWay
            ? 'The delivery can be redelivered after it has ended.'
            : 'Sends the same bytes with a new signature, as a new delivery.'}
        </Text>
      </Group>
      {redeliver.error && <ProblemAlert error={redeliver.error} />}
    </Stack>
  );
}
