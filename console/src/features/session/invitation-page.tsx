// Where the link of an invitation leads: signing in first when needed, here on the page, so that the link stays in the
// address and goes nowhere else.
import { Anchor, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { SlipwayProblem } from '@slipway/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, type Session } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { useLinkToken } from './use-link-token.ts';
import { sessionQuery } from './use-session.ts';
import { VisitorSignIn } from './visitor-sign-in.tsx';

const MENDS = {
  not_found:
    'There is no such invitation for your account. Check that the link is whole, and the account the right one.',
  invitation_not_yours:
    'It is addressed to another address. Sign in with the account of the address that it was sent to.',
  invitation_used: 'It was accepted already. Its organisation is among yours.',
  invitation_expired: 'It was open for seven days. Ask whoever invited you for a new one.',
  invitation_revoked: 'It was taken back. Ask whoever invited you.',
};

export function InvitationPage(): ReactNode {
  useTitle('Invitation');
  const token = useLinkToken();
  const [visit, setVisit] = useState(0); // another one for each person who signs in here
  return (
    <SignInFrame>
      {token === undefined ? (
        <Stack>
          <Title order={1} fz={22}>
            Your invitation
          </Title>
          <Text>The link is not whole: open it as it stands in the message.</Text>
          <AnchorLink to="/">To the Console</AnchorLink>
        </Stack>
      ) : (
        <Invitation key={`${visit} ${token}`} token={token} onOtherPerson={() => setVisit(visit + 1)} />
      )}
    </SignInFrame>
  );
}

interface InvitationProps {
  token: string;
  onOtherPerson: () => void;
}

function Invitation({ token, onOtherPerson }: InvitationProps): ReactNode {
  // Once: what is typed into the form below must not go when the window gets the focus back.
  const session = useQuery({ ...sessionQuery, refetchOnWindowFocus: false, refetchOnReconnect: false });
  if (session.data) return <Acceptance token={token} session={session.data} onOtherPerson={onOtherPerson} />;
  if (session.isPending) return <Skeleton height={180} radius="sm" aria-label="Loading" />;
  if (!(session.error instanceof SlipwayProblem && session.error.code === 'sign_in_required')) {
    return <ProblemAlert error={session.error} onRetry={() => void session.refetch()} />;
  }
  return (
    <SignInSteps onDone={onOtherPerson}>
      {(onStep) => (
        <>
          <Text>You are invited to an organisation. Sign in with the address that the invitation was sent to.</Text>
          <VisitorSignIn returnPath={`/invitation#token=${token}`} onStep={onStep} />
        </>
      )}
    </SignInSteps>
  );
}

function Acceptance({ token, session, onOtherPerson }: InvitationProps & { session: Session }): ReactNode {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const accept = useMutation({
    mutationFn: () => api.acceptInvitation({ body: { token } }),
    onSuccess: async ({ id }) => {
      await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: '/in/$organisationId/apps', params: { organisationId: id }, replace: true });
    },
  });
  const signOut = useMutation({
    mutationFn: () => api.deleteSession(),
    onSuccess: () => {
      queries.clear();
      onOtherPerson();
    },
  });
  const error = accept.error ?? signOut.error;
  return (
    <Stack>
      <Title order={1} fz={22}>
        Your invitation
      </Title>
      <Text style={{ overflowWrap: 'anywhere' }}>
        Accepting it makes <strong>{session.person.email}</strong> a member of the organisation that sent it.
      </Text>
      {error && <ProblemAlert error={error} mends={MENDS} />}
      <Button fullWidth loading={accept.isPending} onClick={() => accept.mutate()}>
        Accept the invitation
      </Button>
      <Anchor component="button" type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign in as somebody else
      </Anchor>
      {error && <AnchorLink to="/">To the Console</AnchorLink>}
    </Stack>
  );
}
