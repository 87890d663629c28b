// Fifth step: an event happens and is delivered.
import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../kit/code-block.tsx';
import { useFreshKey } from '../../kit/fresh-keys.ts';
import { ButtonLink } from '../../kit/links.tsx';
import { ReceiverLink } from '../../webhooks/webhooks/receiver-link.tsx';
import { Step, type StepProps } from './step.tsx';
import { useTicketCommand } from './use-ticket-command.ts';

export function DeliveryStep({ scope, progress }: StepProps): ReactNode {
  const fresh = useFreshKey(scope.appId);
  const token = fresh?.key.scopes.includes('tickets:create') ? fresh.token : undefined;
  const command = useTicketCommand(scope, token);
  return (
    <Step
      number={5}
      title="See the first delivery"
      isDone={progress.hasDelivery}
      description="Create a ticket with a key that has tickets:create. Your endpoint receives ticket.created. The sandbox notifies no person."
    >
      {command && (
        <CodeBlock label="curl: create a ticket" wraps>
          {command}
        </CodeBlock>
      )}
      <Group gap="sm">
        <ButtonLink to="/in/$organisationId/apps/$appId/webhooks" params={scope} search={{}} variant="default">
          Show deliveries
        </ButtonLink>
        <ReceiverLink />
      </Group>
    </Step>
  );
}
