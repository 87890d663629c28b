// Shows whether the account has a second factor, and switches it on or off.
import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Session } from '../../kit/api.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { DisableSecondFactor } from './disable-second-factor.tsx';
import { EnrolSecondFactor } from './enrol-second-factor.tsx';
import { RemovalNote } from './removal-note.tsx';

export function SecondFactorPanel({ person }: { person: Session['person'] }): ReactNode {
  const queries = useQueryClient();
  const [isOpen, dialog] = useDisclosure(false);
  const { hasSecondFactor: isOn, secondFactorRemoval: removal } = person;
  const done = async (message: string): Promise<void> => {
    dialog.close(); // before the state changes the dialog's content
    notifications.show({ color: 'teal', title: 'Done', message });
    await Promise.all(
      [queryKeys.session, queryKeys.sessions].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  };
  return (
    <Panel p="lg">
      <Stack>
        <SectionHead
          title="Second factor"
          action={<StateBadge tone={isOn ? 'good' : 'none'}>{isOn ? 'on' : 'off'}</StateBadge>}
        >
          Sign-in requires your password and a code of an authenticator app.
        </SectionHead>
        {removal && <RemovalNote removal={removal} onCancelled={() => done('The removal is cancelled.')} />}
        <Button variant="default" w="fit-content" onClick={dialog.open}>
          {isOn ? 'Disable' : 'Set up'}
        </Button>
      </Stack>
      {isOpen && isOn && (
        <DisableSecondFactor
          hasPassword={person.hasPassword}
          onDisabled={() => done('Sign-in no longer requires a code.')}
          onRequested={() => done('The removal is pending.')}
          onClose={dialog.close}
        />
      )}
      {isOpen && !isOn && (
        <EnrolSecondFactor
          hasPassword={person.hasPassword}
          onDone={() => done('Sign-in requires a code from now on. Your other sessions were ended.')}
          onClose={dialog.close}
        />
      )}
    </Panel>
  );
}
