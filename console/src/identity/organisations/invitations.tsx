// Lists invitations with role and state.
import { Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMail, IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type Invitation } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge, Tag, type Tone } from '../../kit/state-badge.tsx';
import { InvitePerson } from './invite-person.tsx';
import type { OwnMembership } from './members.tsx';
import { useInvitations } from './use-members.ts';

const TONES: Record<Invitation['state'], Tone> = {
  open: 'waiting',
  accepted: 'good',
  expired: 'none',
  revoked: 'bad',
};

const COLUMNS: Column<Invitation>[] = [
  {
    head: 'Address',
    cell: ({ email, invitedBy, createdAt }) => (
      <>
        <Text fw={550}>{email}</Text>
        <Text c="dimmed" fz="xs">
          by {invitedBy}, <RelativeTime at={createdAt} />
        </Text>
      </>
    ),
    wraps: true,
  },
  {
    head: 'State',
    cell: ({ role, state }) => (
      <Group gap={4}>
        <Tag>{role}</Tag>
        <StateBadge tone={TONES[state]}>{state}</StateBadge>
      </Group>
    ),
    from: 'sm',
    fold: true,
  },
];

export function Invitations({ organisationId, role }: OwnMembership): ReactNode {
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
  const columns: Column<Invitation>[] = [
    ...COLUMNS,
    {
      head: 'Actions',
      align: 'right',
      cell: ({ id, email, state }) =>
        state === 'open' && (
          <GuardedButton
            role={role}
            action="members.invite"
            variant="default"
            size="xs"
            aria-label={`Revoke the invitation of ${email}`}
            loading={revoke.isPending && revoke.variables === id}
            onClick={() => revoke.mutate(id)}
          >
            Revoke
          </GuardedButton>
        ),
    },
  ];
  return (
    <Stack>
      <SectionHead title="Invitations" action={invitations.items?.length ? invite : undefined}>
        A link for one address, which works once within seven days.
      </SectionHead>
      {invitations.error && <ProblemAlert error={invitations.error} onRetry={() => void invitations.refetch()} />}
      {revoke.error && <ProblemAlert error={revoke.error} />}
      {invitations.isPending && <RowsSkeleton rows={2} />}
      {invitations.items?.length === 0 && (
        <EmptyList icon={<IconMail aria-hidden />} title="No invitations" action={invite}>
          The invited person becomes a member in the role that you select.
        </EmptyList>
      )}
      {invitations.items && invitations.items.length > 0 && (
        <Panel>
          <DataTable
            label="Invitations"
            verticalSpacing="sm"
            columns={columns}
            rows={invitations.items}
            rowKey={({ id }) => id}
          />
          <LoadMore {...invitations} />
        </Panel>
      )}
      {isOpen && <InvitePerson organisationId={organisationId} role={role} onClose={dialog.close} />}
    </Stack>
  );
}
