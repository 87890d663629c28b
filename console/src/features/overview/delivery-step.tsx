// The fifth step: something happens, and its event is delivered.
import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AppScope, api } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { curl } from '../../kit/curl.ts';
import { useHere } from '../../kit/environments.ts';
import { useFreshKey } from '../../kit/fresh-keys.ts';
import { ButtonLink } from '../../kit/links.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { ReceiverLink } from '../webhooks/receiver-link.tsx';
import { Step, type StepProps } from './step.tsx';

const TICKET = JSON.stringify({ subject: 'The first ticket', body: 'Created from the shell.' });

export function DeliveryStep({ scope, progress }: StepProps): ReactNode {
  const sandbox = useHere();
  const serverId = useOpenServer(scope);
  const fresh = useFreshKey(scope.appId);
  const token = fresh?.key.scopes.includes('tickets:create') ? fresh.token : undefined;
  return (
    <Step
      number={5}
      title="See the first delivery"
      isDone={progress.hasDelivery}
      description="Create a ticket with a key that has tickets:create: ticket.created goes to your endpoint. Nobody is notified in the sandbox."
    >
      {sandbox && serverId && (
        <CodeBlock label="curl: create a ticket" wraps>
          {curl({ method: 'POST', url: `${sandbox.apiUrl}/v1/servers/${serverId}/tickets`, token, body: TICKET })}
        </CodeBlock>
      )}
      <Group gap="sm">
        <ButtonLink to="/in/$organisationId/apps/$appId/webhooks" params={scope} search={{}} variant="default">
          See the deliveries
        </ButtonLink>
        <ReceiverLink />
      </Group>
    </Step>
  );
}

/** A server on which a ticket can be created as things stand. */
function useOpenServer(scope: AppScope): string | undefined {
  const { data } = useQuery({
    queryKey: [...queryKeys.installations(scope), 'first'],
    queryFn: ({ signal }) => api.listInstallations({ ...scope, limit: 25 }, { signal }),
  });
  const open = data?.data.find(
    ({ installation }) =>
      installation?.state === 'authorised' &&
      installation.scopes.some((grant) => grant.scope === 'tickets:create' && grant.state === 'authorised'),
  );
  return open?.serverId;
}
