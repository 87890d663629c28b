// Members and invitations of an organisation, and the access tokens of its members.
import { Container, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { HiddenUntilKnown } from '../../kit/list-states.tsx';
import { PollStatus } from '../../kit/live-status.tsx';
import { SectionHead } from '../../kit/panel.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { useMembership } from '../session/use-session.ts';
import { AccessTokens } from './access-tokens.tsx';
import { Invitations } from './invitations.tsx';
import { Members } from './members.tsx';
import { useAccessTokens, useInvitations, useMembers } from './use-members.ts';

const route = getRouteApi('/shell/organisations/$organisationId/team');

export function TeamPage(): ReactNode {
  const { organisationId } = route.useParams();
  const membership = useMembership(organisationId);
  const members = useMembers(organisationId);
  const invitations = useInvitations(organisationId);
  const tokens = useAccessTokens(organisationId);
  useTitle('Team', membership?.name);
  const own = { organisationId, role: membership?.role };
  return (
    <Container size={960} py="xl">
      <Stack gap="xl">
        <SectionHead
          title={`Team of ${membership?.name ?? '…'}`}
          order={1}
          action={<PollStatus reads={[members, invitations, tokens]} />}
        >
          Members share all apps of the organisation. The role of a member decides what the member can do.
        </SectionHead>
        <Members {...own} />
        <HiddenUntilKnown isKnown={!members.isPending}>
          <Invitations {...own} />
        </HiddenUntilKnown>
        <HiddenUntilKnown isKnown={!members.isPending && !invitations.isPending}>
          <AccessTokens {...own} />
        </HiddenUntilKnown>
      </Stack>
    </Container>
  );
}
