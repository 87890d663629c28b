// The invitations: who was asked in as what, and what came of it.
import { Box, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMail, IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type Invitation } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { LoadMore, NothingYet, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { StateBadge, Tag, type Tone } from '../../kit/state-badge.tsx';
import { When } from '../../kit/when.tsx';
import { InvitePerson } from './invite-person.tsx';
import type { OwnPlace } from './members.tsx';
import { useInvitations } from './use-members.ts';

const TONES: Record<Invitation['state'], Tone> = {
  open: 'waiting',
  accepted: 'good',
  expired: 'none',
  revoked: 'bad',
};

export function Invitations({ organisationId, role }: OwnPlace): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const queries = useQueryClient();
  const invitations = useInvitations(organisationId);
  const revoke = useMutation({
    mutationFn: (invitationId: string) => api.revokeInvitation({ organisationId, invitationId }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.invitations(organisationId) }),
  });
  const invite = (
    <GuardedButton
      role={role}
      action="members.invite"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={dialog.open}
    >
      Invite a person
    </GuardedButton>
  );
  return (
    <Stack>
      <SectionHead title="Invitations" action={invitations.items?.length ? invite : undefined}>
        A link to one address, which works once and for seven days.
      </SectionHead>
      {invitations.error && <ProblemAlert error={invitations.error} onRetry={() => void invitations.refetch()} />}
      {revoke.error && <ProblemAlert error={revoke.error} />}
      {invitations.isPending && <RowsSkeleton rows={2} />}
      {invitations.items?.length === 0 && (
        <NothingYet icon={<IconMail aria-hidden />} title="Nobody is invited" action={invite}>
          Whoever accepts becomes a member in the role that you choose.
        </NothingYet>
      )}
      {invitations.items && invitations.items.length > 0 && (
        <Panel>
          <Table aria-label="Invitations" verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Address</Table.Th>
                <Table.Th scope="col" visibleFrom="sm">
                  State
                </Table.Th>
                <Table.Th scope="col" ta="right">
                  Actions
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {invitations.items.map((one) => (
                <Table.Tr key={one.id}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <Text fw={550}>{one.email}</Text>
                    <Text c="dimmed" fz="xs">
                      by {one.invitedBy}, <When at={one.createdAt} />
                    </Text>
                    <Box hiddenFrom="sm" mt={6}>
                      <State invitation={one} />
                    </Box>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <State invitation={one} />
                  </Table.Td>
                  <Table.Td ta="right">
                    {one.state === 'open' && (
                      <GuardedButton
                        role={role}
                        action="members.invite"
                        variant="default"
                        size="xs"
                        aria-label={`Revoke the invitation of ${one.email}`}
                        loading={revoke.isPending && revoke.variables === one.id}
                        onClick={() => revoke.mutate(one.id)}
                      >
                        Revoke
                      </GuardedButton>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <LoadMore {...invitations} />
        </Panel>
      )}
      {isOpen && <InvitePerson organisationId={organisationId} role={role} onClose={dialog.close} />}
    </Stack>
  );
}

function State({ invitation: { role, state } }: { invitation: Invitation }): ReactNode {
  return (
    <Group gap={4}>
      <Tag>{role}</Tag>
      <StateBadge tone={TONES[state]}>{state}</StateBadge>
    </Group>
  );
}
