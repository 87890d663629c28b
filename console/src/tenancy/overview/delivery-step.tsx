// Fifth step: an event happens and is delivered.
import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../kit/code-block.tsx';
import { useFreshKey } from '../../kit/fresh-keys.ts';
import { ButtonLink } from '../../kit/links.tsx';
import { ReceiverLink } from '../../webhooks/webhooks/receiver-link.tsx';
import { Step, type StepProps } from './step.tsx';
import { CREATION, useCreationCommand } from './use-creation-command.ts';

const DESCRIPTION = CREATION
  ? `${CREATION.label} with a key that has ${CREATION.scopes.join(' and ')}. Your endpoint receives ${CREATION.event}. The sandbox notifies no person.`
  : 'Trigger an event under Simulation, or change an object through the API. Your endpoint receives the event.';

export function DeliveryStep({ scope, progress }: StepProps): ReactNode {
  const fresh = useFreshKey(scope.appId);
  const isAllowed = CREATION?.scopes.every((one) => fresh?.key.scopes.includes(one));
  const token = isAllowed ? fresh?.token : undefined;
  const command = useCreationCommand(scope, token);
  return (
    <Step number={5} title="See the first delivery" isDone={progress.hasDelivery} description={DESCRIPTION}>
      {command && (
        <CodeBlock label={`curl: ${CREATION?.label}`} wraps>
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
