// Ends all sessions and access tokens of the person, after a confirmation that says so, and lists the ended access.
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { EndedAccessList } from './ended-access.tsx';
import { useSignOut } from './use-sign-out.ts';

export function SignOutEverywhere(): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const signOut = useSignOut(async () => {
    const ended = await api.endSessions();
    notifications.show({
      color: 'teal',
      autoClose: false,
      title: 'You are signed out everywhere',
      message: <EndedAccessList ended={ended} />,
    });
  });
  return (
    <>
      <Button variant="default" w="fit-content" onClick={dialog.open}>
        Sign out everywhere
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title="Sign out everywhere?">
        <Stack>
          <Text>
            This ends all your sessions, including this one, and all your access tokens in every organisation. Terminals
            and scripts that use a token of yours stop. It also cancels a pending removal of your second factor and, if
            you have a password, unlinks the identity provider.
          </Text>
          {signOut.error && <ProblemAlert error={signOut.error} />}
          <DialogActions>
            <Button variant="default" onClick={dialog.close} data-autofocus>
              Cancel
            </Button>
            <Button color="red.8" loading={signOut.isPending} onClick={() => signOut.mutate()}>
              Sign out everywhere
            </Button>
          </DialogActions>
        </Stack>
      </Modal>
    </>
  );
}
