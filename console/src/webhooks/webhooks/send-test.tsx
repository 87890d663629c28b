// Sends an example event to one endpoint, and shows the delivery.
import { Group, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, type EventType } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import type { EndpointContext } from './endpoint-frame.tsx';
import { receivedTypes } from './event-types.ts';
import { SentDelivery } from './sent-delivery.tsx';

export function SendTest({ scope, endpoint, role }: EndpointContext): ReactNode {
  const [chosen, setChosen] = useState<string>();
  const queries = useQueryClient();
  const types = receivedTypes(endpoint.eventTypes);
  const type = types.find((one) => one === chosen) ?? types[0];
  const send = useMutation({
    mutationFn: (body: { type: EventType }) => api.sendTestEvent({ ...scope, endpointId: endpoint.id, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.deliveries(scope) }),
  });
  return (
    <Panel p="md" role="region" aria-label="Test event">
      <Stack>
        <SectionHead title="Test event" order={3}>
          An example event, sent only to this endpoint, signed and retried like any delivery. Its objects do not exist.
        </SectionHead>
        <Group gap="xs" align="flex-end">
          <NativeSelect
            label="Type"
            flex="1 1 180px"
            maw={260}
            data={types}
            value={type ?? ''}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          <GuardedButton
            role={role}
            action="endpoints.change"
            variant="default"
            loading={send.isPending}
            onClick={() => type && send.mutate({ type })}
          >
            Send a test event
          </GuardedButton>
        </Group>
        {send.error && <ProblemAlert error={send.error} />}
        {send.data && <SentDelivery scope={scope} deliveryId={send.data.id} />}
      </Stack>
    </Panel>
  );
}
