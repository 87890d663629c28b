// Fourth step: an endpoint that receives events.
import { Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { AddEndpoint } from '../../webhooks/webhooks/add-endpoint.tsx';
import { Step, type StepProps } from './step.tsx';

export function EndpointStep({ scope, progress }: StepProps): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const role = useMembership(scope.organisationId)?.role;
  return (
    <Step
      number={4}
      title="Add an endpoint"
      isDone={progress.hasEndpoint}
      description="The endpoint receives events as signed webhooks, through a key with events:read."
    >
      {progress.hasEndpoint && (
        <Stack gap={2}>
          {progress.endpoints.slice(0, 3).map((one) => (
            <Text key={one.id} ff="monospace" fz={13} style={{ overflowWrap: 'anywhere' }}>
              {one.url}
            </Text>
          ))}
        </Stack>
      )}
      <GuardedButton role={role} action="endpoints.change" variant="default" w="fit-content" onClick={dialog.open}>
        {progress.hasEndpoint ? 'Add another' : 'Add an endpoint'}
      </GuardedButton>
      {isOpen && <AddEndpoint scope={scope} onClose={dialog.close} />}
    </Step>
  );
}
