// The person's account: name, sign-in methods, sessions, and sign-out everywhere.
import { Button, Container, Skeleton, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLogout } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Session } from '../../kit/api.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { PasswordForm } from './password-form.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import { ProviderPanel } from './provider-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { useSession } from './use-session.ts';
import { useSignOut } from './use-sign-out.ts';

export function AccountPage(): ReactNode {
  useTitle('Account');
  const session = useSession();
  return (
    <Container size={720} py="xl">
      <Stack gap="lg">
        <SectionHead title="Account" order={1}>
          Your profile, sign-in methods and sessions.
        </SectionHead>
        {session.error && <ProblemAlert error={session.error} onRetry={() => void session.refetch()} />}
        {session.isPending && <Skeleton height={380} radius="sm" />}
        {session.data && <AccountPanels person={session.data.person} />}
      </Stack>
    </Container>
  );
}

function AccountPanels({ person }: { person: Session['person'] }): ReactNode {
  const signOut = useSignOut();
  return (
    <>
      <ProfilePanel key={person.name} person={person} />
      <Panel p="lg">
        <Stack>
          <SectionHead title={person.hasPassword ? 'Change your password' : 'Set a password'}>
            {person.hasPassword ? undefined : 'Without a password you cannot sign in again after this session.'}
          </SectionHead>
          <PasswordForm
            email={person.email}
            hasPassword={person.hasPassword}
            onDone={() => notifications.show({ color: 'teal', title: 'Done', message: 'The password was set.' })}
          />
        </Stack>
      </Panel>
      <SecondFactorPanel person={person} />
      <ProviderPanel person={person} />
      <SessionsPanel />
      <Panel p="lg">
        <Stack>
          <SectionHead title="Sign out">Ends the session in this browser.</SectionHead>
          {signOut.error && <ProblemAlert error={signOut.error} />}
          <Button
            variant="default"
            w="fit-content"
            leftSection={<IconLogout size={16} aria-hidden />}
            loading={signOut.isPending}
            onClick={() => signOut.mutate()}
          >
            Sign out
          </Button>
        </Stack>
      </Panel>
    </>
  );
}
