// Lists the app's endpoints, and adds one.
import { Skeleton, Stack } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { AppScope } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { EmptyList, LoadMore } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useNewDialog } from '../../kit/use-new-dialog.ts';
import { AddEndpoint } from './add-endpoint.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { ReceiverLink } from './receiver-link.tsx';
import { useEndpoints } from './use-endpoints.ts';

export function Endpoints({ scope }: { scope: AppScope }): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const endpoints = useEndpoints(scope);
  const dialog = useNewDialog(role, 'endpoints.change');
  const add = (
    <GuardedButton
      role={role}
      action="endpoints.change"
      leftSection={<IconPlus size={16} aria-hidden />}
      size="xs"
      onClick={dialog.open}
    >
      Add an endpoint
    </GuardedButton>
  );
  return (
    <Stack gap="sm">
      <SectionHead title="Endpoints" action={endpoints.items?.length === 0 ? undefined : add} />
      {endpoints.error && <ProblemAlert error={endpoints.error} onRetry={() => void endpoints.refetch()} />}
      {endpoints.isPending && <Skeleton h={97} role="status" aria-label="Loading the endpoints" />}
      {endpoints.items?.length === 0 && (
        <EmptyList icon={<IconWebhook aria-hidden />} title="No endpoints yet" action={add}>
          Add an endpoint to receive events on your server as they happen.
        </EmptyList>
      )}
      {endpoints.items && endpoints.items.length > 0 && (
        <>
          <Panel>
            <EndpointTable scope={scope} endpoints={endpoints.items} />
            <LoadMore {...endpoints} />
          </Panel>
          <ReceiverLink />
        </>
      )}
      {dialog.isOpen && <AddEndpoint scope={scope} onClose={dialog.close} />}
    </Stack>
  );
}
