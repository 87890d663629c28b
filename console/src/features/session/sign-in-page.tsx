// Signing in: with e-mail address and password, or with the one-time link that the server printed. Opening the link's page
// does not use it up; the button does.
import { Anchor, Box, Center, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useLocation, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Panel } from '../../kit/panel.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { ColorSchemeToggle } from '../frame/color-scheme-toggle.tsx';
import { Wordmark } from '../frame/wordmark.tsx';
import { LinkSignIn } from './link-sign-in.tsx';
import { PasswordSignIn } from './password-sign-in.tsx';
import { safeReturnPath } from './return-path.ts';
import { SetFirstPassword } from './set-first-password.tsx';
import { sessionQuery } from './use-session.ts';

const route = getRouteApi('/sign-in');

export function SignInPage(): ReactNode {
  useTitle('Sign in');
  const { token, isAsking, leave, arrive } = useSignIn();
  const [usesPassword, setUsesPassword] = useState(false);

  if (isAsking) {
    return (
      <SignInFrame>
        <SetFirstPassword onDone={leave} />
      </SignInFrame>
    );
  }
  return (
    <SignInFrame>
      {token !== undefined && !usesPassword ? (
        <>
          <LinkSignIn key={token} token={token} onSignedIn={arrive} />
          <Anchor component="button" type="button" onClick={() => setUsesPassword(true)}>
            Sign in with a password instead
          </Anchor>
        </>
      ) : (
        <PasswordSignIn onSignedIn={arrive} />
      )}
    </SignInFrame>
  );
}

function useSignIn() {
  const { link, return: wanted } = route.useSearch();
  const router = useRouter();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const fragment = new URLSearchParams(useLocation({ select: (location) => location.hash })).get('link');

  const leave = (): void => router.history.replace(safeReturnPath(wanted, window.location.origin));
  return {
    token: fragment ?? link,
    isAsking,
    leave,
    async arrive(): Promise<void> {
      queries.clear(); // nothing that another person read here may be shown to this one
      const session = await queries.fetchQuery(sessionQuery);
      if (session.person.hasPassword) leave();
      else setAsking(true);
    },
  };
}

function SignInFrame({ children }: { children: ReactNode }): ReactNode {
  return (
    <Box mih="100dvh" p="md" style={{ display: 'grid', gridTemplateRows: 'auto 1fr auto' }}>
      <Group component="header" justify="flex-end">
        <ColorSchemeToggle />
      </Group>
      <Center component="main">
        <Stack w="100%" maw={400} gap="lg">
          <Wordmark size="lg" />
          <Panel p="lg">
            <Stack>{children}</Stack>
          </Panel>
        </Stack>
      </Center>
      <Text component="footer" c="dimmed" fz="xs" ta="center">
        The Developer Console: keys, installations, webhooks and every request, in one place.
      </Text>
    </Box>
  );
}
