// Lists the app's endpoints, and adds one.
import { Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { AppScope, Endpoint } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { EmptyList, LoadMore } from '../../kit/list-states.tsx';
import { SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { AddEndpoint } from './add-endpoint.tsx';
import { DeleteEndpoint } from './delete-endpoint.tsx';
import { EndpointCard } from './endpoint-card.tsx';
import { ReceiverLink } from './receiver-link.tsx';
import { useEndpoints } from './use-endpoints.ts';

export function Endpoints({ scope }: { scope: AppScope }): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const endpoints = useEndpoints(scope);
  const [isOpen, dialog] = useDisclosure(false);
  const [deleting, setDeleting] = useState<Endpoint>();
  const add = (
    <GuardedButton
      role={role}
      action="endpoints.change"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={dialog.open}
    >
      Add an endpoint
    </GuardedButton>
  );
  return (
    <Stack>
      <SectionHead title="Endpoints" action={endpoints.items?.length === 0 ? undefined : add}>
        Addresses that receive signed events. An endpoint uses a key, and stops with it.
      </SectionHead>
      {endpoints.error && <ProblemAlert error={endpoints.error} onRetry={() => void endpoints.refetch()} />}
      {endpoints.isPending && <Skeleton h={{ base: 289, sm: 220 }} role="status" aria-label="Loading the endpoints" />}
      {endpoints.items?.length === 0 && (
        <EmptyList icon={<IconWebhook aria-hidden />} title="No endpoints yet" action={add}>
          Add an endpoint to receive events on your server as they happen.
        </EmptyList>
      )}
      {endpoints.items && endpoints.items.length > 0 && (
        <Stack gap="sm">
          {endpoints.items.map((one) => (
            <EndpointCard key={one.id} scope={scope} endpoint={one} role={role} onDelete={setDeleting} />
          ))}
          <LoadMore {...endpoints} />
          <ReceiverLink />
        </Stack>
      )}
      {isOpen && <AddEndpoint scope={scope} onClose={dialog.close} />}
      {deleting && <DeleteEndpoint scope={scope} endpoint={deleting} onClose={() => setDeleting(undefined)} />}
    </Stack>
  );
}
