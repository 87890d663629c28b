// Offers to set a password after a sign-in by one-time link. Without a password the person could not sign in again.
import { Button, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PasswordForm } from './password-form.tsx';
import { useSession } from './use-session.ts';

export function SetFirstPassword({ onDone }: { onDone: () => void }): ReactNode {
  const session = useSession();
  return (
    <Stack>
      <Title order={1} fz={22}>
        You are signed in
      </Title>
      <Text c="dimmed">Set a password now, so that you can sign in again. The link cannot be used again.</Text>
      <PasswordForm email={session.data?.person.email ?? ''} hasPassword={false} onDone={onDone}>
        <Button variant="subtle" onClick={onDone}>
          Not now
        </Button>
      </PasswordForm>
    </Stack>
  );
}
