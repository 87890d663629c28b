// The page of the link that was mailed to a new address. A click in a session of the person who requested the address
// confirms it; opening the page does not.
import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type Session } from '../../kit/api.ts';
import { ButtonLink } from '../../kit/links.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { SignInFirst } from './sign-in-first.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { useLinkToken } from './use-link-token.ts';
import { sessionQuery } from './use-session.ts';

const FIXES = {
  link_invalid:
    'The link works once within an hour, and only for the account that requested it. A later link replaces it. Sign in to that account, or request a new link there.',
};

export function ConfirmEmailPage(): ReactNode {
  useTitle('Confirm your address');
  const token = useLinkToken();
  return (
    <SignInFrame>
      {token === undefined ? (
        <>
          <Heading>Confirm your new address</Heading>
          <Text c="dimmed">This link is not complete. Open the link in the mail again.</Text>
        </>
      ) : (
        <SignInFirst
          reason="Sign in to the account that requested the new address, with its current address."
          returnPath={`/confirm-email#token=${token}`}
        >
          {(session, onOtherPerson) => <Confirmation {...{ token, session, onOtherPerson }} />}
        </SignInFirst>
      )}
    </SignInFrame>
  );
}

const Heading = ({ children }: { children: ReactNode }): ReactNode => (
  <Title order={1} fz={22}>
    {children}
  </Title>
);

interface ConfirmationProps {
  token: string;
  session: Session;
  onOtherPerson: () => void;
}

function Confirmation({ token, session, onOtherPerson }: ConfirmationProps): ReactNode {
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: async () => {
      await api.confirmEmailChange({ body: { token } });
      return queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    },
  });
  const signOut = useMutation({
    mutationFn: () => api.deleteSession(),
    onSuccess: () => {
      queries.clear();
      onOtherPerson();
    },
  });
  const error = confirm.error ?? signOut.error;
  if (confirm.data) {
    return (
      <Stack role="status">
        <Heading>Your address was changed</Heading>
        <Text style={{ overflowWrap: 'anywhere' }}>
          Sign in as <strong>{confirm.data.person.email}</strong> from now on. Your other sessions were ended. Your
          previous address received a link that restores it within 72 hours.
        </Text>
        <ButtonLink to="/account" fullWidth>
          To your account
        </ButtonLink>
      </Stack>
    );
  }
  return (
    <Stack>
      <Heading>Confirm your new address</Heading>
      <Text style={{ overflowWrap: 'anywhere' }}>
        You are signed in as <strong>{session.person.email}</strong>. Your account will use the address that received
        this link.
      </Text>
      {error && <ProblemAlert error={error} fixes={FIXES} />}
      <Button fullWidth loading={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm the address
      </Button>
      <Anchor component="button" type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign in as another person
      </Anchor>
    </Stack>
  );
}
