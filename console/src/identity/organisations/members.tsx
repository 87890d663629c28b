// Lists members, changes their roles, and ends memberships.
import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, type Member, type Role } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { ROLE_MEANING, useRefusalReason, useRolesWithin } from '../../kit/roles.ts';
import { Tag } from '../../kit/state-badge.tsx';
import { useSession } from '../session/use-session.ts';
import { needsSecondFactor, VerifySecondFactor } from '../session/verify-second-factor.tsx';
import { EndMembership } from './end-membership.tsx';
import { useMembers } from './use-members.ts';

export interface OwnMembership {
  organisationId: string;
  role: Role | undefined;
}

export function Members(own: OwnMembership): ReactNode {
  const { organisationId } = own;
  const [ending, setEnding] = useState<Member>();
  const self = useSession().data?.person.email;
  const change = useChangeRole(organisationId);
  const mustVerify = needsSecondFactor(change.error);
  const members = useMembers(organisationId);
  return (
    <Stack>
      <SectionHead title="Members" />
      {members.error && <ProblemAlert error={members.error} onRetry={() => void members.refetch()} />}
      {change.error && !mustVerify && <ProblemAlert error={change.error} />}
      {members.isPending && <RowsSkeleton rows={3} />}
      {members.items && (
        <Panel>
          <MemberTable
            members={members.items}
            own={own.role}
            self={self}
            isBusy={change.isPending}
            onChange={(memberId, role) => change.mutate({ memberId, role })}
            onEnd={setEnding}
          />
          <LoadMore {...members} />
        </Panel>
      )}
      {mustVerify && change.variables && (
        <VerifySecondFactor onVerified={() => change.mutate(change.variables)} onClose={change.reset} />
      )}
      {ending && (
        <EndMembership
          organisationId={organisationId}
          member={ending}
          isSelf={ending.email === self}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Stack>
  );
}

function useChangeRole(organisationId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ memberId, role }: { memberId: string; role: Role }) =>
      api.changeMember({ organisationId, memberId, body: { role } }),
    // The change can affect the member's own role, and with it the permitted invitations.
    onSettled: () =>
      Promise.all(
        [queryKeys.members(organisationId), queryKeys.invitations(organisationId), queryKeys.session].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

interface MemberTableProps {
  members: Member[];
  own: Role | undefined;
  /** Address of the person who reads the page. */
  self: string | undefined;
  isBusy: boolean;
  onChange: (memberId: string, role: Role) => void;
  onEnd: (member: Member) => void;
}

function MemberTable({ members, own, self, isBusy, onChange, onEnd }: MemberTableProps): ReactNode {
  const within = useRolesWithin(own);
  const mayChange = useRefusalReason(own, 'members.change') === undefined;
  const columns: Column<Member>[] = [
    {
      head: 'Member',
      cell: ({ name, email, suspendedAt }) => (
        <>
          <Text fw={550}>
            {name}
            {email === self && ' (you)'}
          </Text>
          <Text c="dimmed" fz="xs">
            {email}
          </Text>
          {suspendedAt !== null && (
            <Text c="dimmed" fz="xs">
              Suspended: the operator restored a backup. Reinstate the member to give access back.
            </Text>
          )}
        </>
      ),
      wraps: true,
    },
    {
      head: 'Role',
      cell: ({ id, name, role }) =>
        mayChange && within.includes(role) ? (
          <NativeSelect
            size="xs"
            w={120}
            aria-label={`Role of ${name}`}
            title={ROLE_MEANING[role]}
            data={within}
            value={role}
            disabled={isBusy}
            onChange={(event) => onChange(id, event.currentTarget.value as Role)} // one of `within`
          />
        ) : (
          <Tag>{role}</Tag>
        ),
      from: 'sm',
      fold: true,
    },
    {
      head: 'Actions',
      align: 'right',
      cell: (member) => {
        const { id, name, email, role, suspendedAt } = member;
        const isSelf = email === self;
        return (
          <Group gap="xs" justify="flex-end">
            {suspendedAt !== null && within.includes(role) && (
              <GuardedButton
                role={own}
                action="members.change"
                variant="default"
                size="xs"
                aria-label={`Reinstate ${name}`}
                onClick={() => onChange(id, role)}
              >
                Reinstate
              </GuardedButton>
            )}
            {(isSelf || within.includes(role)) && (
              <GuardedButton
                role={own}
                action={isSelf ? 'organisation.leave' : 'members.remove'}
                variant="default"
                size="xs"
                aria-label={isSelf ? 'Leave the organisation' : `Remove ${name}`}
                onClick={() => onEnd(member)}
              >
                {isSelf ? 'Leave' : 'Remove'}
              </GuardedButton>
            )}
          </Group>
        );
      },
    },
  ];
  return <DataTable label="Members" verticalSpacing="sm" columns={columns} rows={members} rowKey={({ id }) => id} />;
}
