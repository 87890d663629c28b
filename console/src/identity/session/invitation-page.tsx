// The page that the link of an invitation opens. It describes the invitation, and then offers sign-in or creation of
// the account on the same page, so that the link stays in the address and goes nowhere else.
import { Anchor, Button, Divider, Skeleton, Stack, Text, Title } from '@mantine/core';
import { SlipwayProblem } from '@slipway/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api, type InvitationPreview, type Session } from '../../kit/api.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { describeRole } from '../../kit/roles.ts';
import { useTitle } from '../../kit/use-title.ts';
import { NewAccountForm } from './new-account-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { useLinkToken } from './use-link-token.ts';
import { sessionQuery } from './use-session.ts';
import { VisitorSignIn } from './visitor-sign-in.tsx';

const FIXES = {
  not_found:
    'This link has no open invitation for you. It was used, has expired, was revoked, or is incomplete. Ask the person who invited you.',
  invitation_not_yours: 'The invitation was sent to another address. Sign in with the account of that address.',
  invitation_used: 'The invitation was already accepted. Sign in: the organisation is in your list.',
  invitation_expired: 'The invitation has expired after seven days. Ask for a new one.',
  invitation_revoked: 'The invitation was revoked. Ask the person who invited you.',
};

export function InvitationPage(): ReactNode {
  useTitle('Invitation');
  const token = useLinkToken();
  const [visit, setVisit] = useState(0); // changes when another person signs in here
  return (
    <SignInFrame>
      {token === undefined ? (
        <Stack>
          <Heading>Your invitation</Heading>
          <Text>The link is incomplete. Open it as it appears in the message.</Text>
          <AnchorLink to="/">To the Console</AnchorLink>
        </Stack>
      ) : (
        <Invitation key={`${visit} ${token}`} token={token} onOtherPerson={() => setVisit(visit + 1)} />
      )}
    </SignInFrame>
  );
}

const Heading = ({ children }: { children: ReactNode }): ReactNode => (
  <Title order={1} fz={22} style={{ overflowWrap: 'anywhere' }}>
    {children}
  </Title>
);

// The page reads the invitation once: text that is typed into a form below must not disappear when the window gets the
// focus back.
const NO_REFETCH = { refetchOnWindowFocus: false, refetchOnReconnect: false, retry: false } as const;

interface InvitationProps {
  token: string;
  onOtherPerson: () => void;
}

function Invitation({ token, onOtherPerson }: InvitationProps): ReactNode {
  const session = useQuery({ ...sessionQuery, ...NO_REFETCH });
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.previewInvitation({ body: { token } }, { signal }),
    gcTime: 0,
    ...NO_REFETCH,
  });
  if (session.isPending || preview.isPending) return <Skeleton height={180} radius="sm" aria-label="Loading" />;
  if (preview.error) {
    return (
      <Stack>
        <Heading>Your invitation</Heading>
        <ProblemAlert error={preview.error} fixes={FIXES} />
        <AnchorLink to="/">To the Console</AnchorLink>
      </Stack>
    );
  }
  const isVisitor = session.error instanceof SlipwayProblem && session.error.code === 'sign_in_required';
  if (session.error && !isVisitor) return <ProblemAlert error={session.error} onRetry={() => void session.refetch()} />;
  return (
    <Stack>
      <Terms preview={preview.data} />
      {session.data ? (
        <Acceptance token={token} session={session.data} email={preview.data.email} onOtherPerson={onOtherPerson} />
      ) : (
        <Joining token={token} preview={preview.data} onOtherPerson={onOtherPerson} />
      )}
    </Stack>
  );
}

function Terms({ preview: { organisation, role, invitedBy } }: { preview: InvitationPreview }): ReactNode {
  return (
    <>
      <Heading>Join {organisation}</Heading>
      <Text style={{ overflowWrap: 'anywhere' }}>
        <strong>{invitedBy}</strong> invites you to the organisation <strong>{organisation}</strong> with the role{' '}
        <strong>{role}</strong>. {describeRole(role)}
      </Text>
    </>
  );
}

/** Form of a visitor: one click signs in or creates the account, and accepts the invitation. */
function Joining({ token, preview, onOtherPerson }: InvitationProps & { preview: InvitationPreview }): ReactNode {
  const { email, hasAccount } = preview;
  const join = useJoin(token);
  // If the invitation cannot be accepted, the page of the signed-in person explains why.
  const joinNow = (): void => join.mutate(undefined, { onError: onOtherPerson });
  return (
    <SignInSteps onDone={joinNow}>
      {(onStep) =>
        email !== null && hasAccount === false ? (
          <NewAccountForm token={token} email={email} action="Create account and join" onStep={onStep} />
        ) : (
          <>
            <Text>
              {email === null
                ? 'Sign in with the address that received the invitation. If you have no account, create one: a link proves that the address is yours.'
                : `Sign in as ${email} to join.`}
            </Text>
            <Divider />
            <VisitorSignIn returnPath={`/invitation#token=${token}`} onStep={onStep} />
          </>
        )
      }
    </SignInSteps>
  );
}

function useJoin(token: string) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => api.acceptInvitation({ body: { token } }),
    onSuccess: async ({ id }) => {
      await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: '/in/$organisationId/apps', params: { organisationId: id }, replace: true });
    },
  });
}

interface AcceptanceProps extends InvitationProps {
  session: Session;
  /** Null if the link does not prove the address. */
  email: string | null;
}

function Acceptance({ token, session, email, onOtherPerson }: AcceptanceProps): ReactNode {
  const queries = useQueryClient();
  const accept = useJoin(token);
  const signOut = useMutation({
    mutationFn: () => api.deleteSession(),
    onSuccess: () => {
      queries.clear();
      onOtherPerson();
    },
  });
  const error = accept.error ?? signOut.error;
  const ownEmail = session.person.email;
  const isOther = email !== null && email !== ownEmail.toLowerCase();
  return (
    <>
      <Text style={{ overflowWrap: 'anywhere' }}>
        You are signed in as <strong>{ownEmail}</strong>.
        {isOther && (
          <>
            {' '}
            The invitation was sent to <strong>{email}</strong>: sign in as that person to accept it.
          </>
        )}
      </Text>
      {error && <ProblemAlert error={error} fixes={FIXES} />}
      {!isOther && (
        <Button fullWidth loading={accept.isPending} onClick={() => accept.mutate()}>
          Accept the invitation
        </Button>
      )}
      <Anchor component="button" type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign in as another person
      </Anchor>
      {(error || isOther) && <AnchorLink to="/">To the Console</AnchorLink>}
    </>
  );
}
