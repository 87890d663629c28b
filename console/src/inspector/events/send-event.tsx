// Sends an event to one endpoint, also to an endpoint that did not receive it, and follows the new delivery.
import { Group, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { type AppScope, api } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { LoadOlder } from '../../kit/load-older.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { SentDelivery } from '../../webhooks/webhooks/sent-delivery.tsx';
import { useEndpoints } from '../../webhooks/webhooks/use-endpoints.ts';

interface SendEventProps {
  scope: AppScope;
  eventId: string;
}

export function SendEvent({ scope, eventId }: SendEventProps): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const list = useEndpoints(scope);
  const endpoints = list.items;
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const send = useMutation({
    mutationFn: (endpointId: string) => api.sendEvent({ ...scope, eventId, body: { endpointId } }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: queryKeys.traces(scope) }),
        queries.invalidateQueries({ queryKey: queryKeys.deliveries(scope) }),
      ]),
  });
  if (endpoints?.length === 0) {
    return (
      <Text c="dimmed">
        The app has no endpoint to which the event could be sent.{' '}
        <AnchorLink to="/in/$organisationId/apps/$appId/webhooks" params={scope}>
          Add an endpoint
        </AnchorLink>
      </Text>
    );
  }
  const endpointId = chosen ?? endpoints?.[0]?.id ?? null;
  return (
    <Stack gap="xs" component="section" aria-label="Send to an endpoint">
      <Group gap="xs" align="flex-end">
        <Select
          label="Endpoint"
          flex="1 1 220px"
          searchable
          allowDeselect={false}
          placeholder={endpoints ? 'Select an endpoint' : 'Loading…'}
          data={(endpoints ?? []).map(({ id, url }) => ({ value: id, label: url }))}
          value={endpointId}
          onChange={setChosen}
        />
        <GuardedButton
          role={role}
          action="deliveries.redeliver"
          variant="default"
          loading={send.isPending}
          disabled={endpointId === null}
          onClick={() => endpointId !== null && send.mutate(endpointId)}
        >
          Send to endpoint
        </GuardedButton>
      </Group>
      <LoadOlder noun="endpoints" list={list} />
      {send.error && <ProblemAlert error={send.error} />}
      {send.data && <SentDelivery scope={scope} deliveryId={send.data.id} />}
    </Stack>
  );
}
