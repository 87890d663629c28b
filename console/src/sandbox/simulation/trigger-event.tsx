// Triggers an event with chosen values.
import { Grid, Select, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import type { AppScope, EventType, Role } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { useReference } from '../../platform/reference/use-reference.ts';
import { useTriggerEvent } from './use-simulation.ts';

export function TriggerEvent({ scope, role }: { scope: AppScope; role: Role | undefined }): ReactNode {
  const [type, setType] = useState<EventType>('ping');
  const [objectId, setObjectId] = useState('');
  const { data: reference } = useReference();
  const trigger = useTriggerEvent(scope);
  const idError = fieldError(trigger.error, '/objectId');
  const wanted = objectId.trim();
  const send = (): void =>
    trigger.mutate(
      { type, ...(wanted !== '' && { objectId: wanted }) },
      {
        onSuccess: (event) =>
          notifications.show({ color: 'teal', title: `${event.type} happened`, message: `The event is ${event.id}.` }),
      },
    );
  return (
    <Stack>
      <SectionHead title="Trigger an event">
        The change that the event describes happens too{OWN_CONTRACT ? '' : ': a ticket is closed, a run fails'}.
        Subscribed endpoints receive the event.
      </SectionHead>
      <Panel p="lg">
        <Stack>
          {trigger.error && <ProblemAlert error={trigger.error} fields={['/objectId']} />}
          <Grid gap="md">
            <Grid.Col span={{ base: 12, sm: 5 }}>
              <Select
                label="Event"
                searchable
                allowDeselect={false}
                data={reference?.events.map(({ id }) => id) ?? [type]}
                value={type}
                onChange={(chosen) => chosen !== null && setType(chosen as EventType)} // one of the contract's event types
              />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 7 }}>
              <TextInput
                label="Object id (optional)"
                placeholder="The newest that fits"
                maxLength={40}
                value={objectId}
                error={idError}
                onChange={(event) => setObjectId(event.currentTarget.value)}
              />
            </Grid.Col>
          </Grid>
          <GuardedButton role={role} action="world.change" w="fit-content" loading={trigger.isPending} onClick={send}>
            Trigger event
          </GuardedButton>
          {trigger.data && (
            <AnchorLink
              to="/in/$organisationId/apps/$appId/events"
              params={scope}
              search={{ event: trigger.data.id }}
              w="fit-content"
            >
              Show event
            </AnchorLink>
          )}
        </Stack>
      </Panel>
    </Stack>
  );
}
