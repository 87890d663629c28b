// Shows whether the account has a second factor, lists its passkeys, and switches it on or off.
import { Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Session } from '../../kit/api.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { DisableSecondFactor } from './disable-second-factor.tsx';
import { EnrolSecondFactor } from './enrol-second-factor.tsx';
import { Passkeys } from './passkeys.tsx';
import { RemovalNote } from './removal-note.tsx';

export function SecondFactorPanel({ person }: { person: Session['person'] }): ReactNode {
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'enrol' | 'passkey' | 'disable'>();
  const close = (): void => setDialog(undefined);
  const { hasSecondFactor: isOn, secondFactorMethods: methods, secondFactorRemoval: removal } = person;
  const done = async (message: string): Promise<void> => {
    close(); // before the state changes the dialog's content
    notifications.show({ color: 'teal', title: 'Done', message });
    await Promise.all(
      [queryKeys.session, queryKeys.sessions, queryKeys.passkeys].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  };
  return (
    <Panel p="lg">
      <Stack>
        <SectionHead
          title="Second factor"
          action={<StateBadge tone={isOn ? 'good' : 'none'}>{isOn ? 'on' : 'off'}</StateBadge>}
        >
          Sign-in requires your password, and a code of an authenticator app or a passkey.
        </SectionHead>
        {removal && <RemovalNote removal={removal} onCancelled={() => done('The removal is cancelled.')} />}
        {isOn && <Passkeys person={person} />}
        <Group>
          {!isOn && (
            <Button variant="default" onClick={() => setDialog('enrol')}>
              Set up
            </Button>
          )}
          {isOn && !methods.includes('authenticator') && (
            <Button variant="default" onClick={() => setDialog('enrol')}>
              Set up an authenticator
            </Button>
          )}
          <Button variant="default" onClick={() => setDialog('passkey')}>
            Add a passkey
          </Button>
          {isOn && (
            <Button variant="default" onClick={() => setDialog('disable')}>
              Disable
            </Button>
          )}
        </Group>
      </Stack>
      {dialog === 'disable' && (
        <DisableSecondFactor
          hasPassword={person.hasPassword}
          methods={methods}
          onDisabled={() => done('Sign-in no longer requires a code.')}
          onRequested={() => done('The removal is pending.')}
          onClose={close}
        />
      )}
      {dialog === 'enrol' && (
        <EnrolSecondFactor
          hasPassword={person.hasPassword}
          onDone={() => done('Sign-in requires a code from now on. Your other sessions were ended.')}
          onClose={close}
        />
      )}
      {dialog === 'passkey' && (
        <AddPasskey person={person} onDone={() => done('The passkey was added.')} onClose={close} />
      )}
    </Panel>
  );
}
