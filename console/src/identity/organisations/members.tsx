// The members: their roles, and the end of a membership.
import { Box, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, type Member, type Role } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { ROLE_MEANING, useReasonAgainst, useRolesWithin } from '../../kit/roles.ts';
import { Tag } from '../../kit/state-badge.tsx';
import { isProofNeeded, ProveSecondFactor } from '../session/prove-second-factor.tsx';
import { useSession } from '../session/use-session.ts';
import { EndMembership } from './end-membership.tsx';
import { useMembers } from './use-members.ts';

export interface OwnPlace {
  organisationId: string;
  role: Role | undefined;
}

export function Members(own: OwnPlace): ReactNode {
  const { organisationId } = own;
  const [ending, setEnding] = useState<Member>();
  const self = useSession().data?.person.email;
  const change = useChangeRole(organisationId);
  const mustProve = isProofNeeded(change.error);
  const members = useMembers(organisationId);
  return (
    <Stack>
      <SectionHead title="Members" />
      {members.error && <ProblemAlert error={members.error} onRetry={() => void members.refetch()} />}
      {change.error && !mustProve && <ProblemAlert error={change.error} />}
      {members.isPending && <RowsSkeleton rows={3} />}
      {members.items && (
        <Panel>
          <Table aria-label="Members" verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Member</Table.Th>
                <Table.Th scope="col" visibleFrom="sm">
                  Role
                </Table.Th>
                <Table.Th scope="col" ta="right">
                  Actions
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {members.items.map((member) => (
                <MemberRow
                  key={member.id}
                  member={member}
                  own={own.role}
                  isSelf={member.email === self}
                  isBusy={change.isPending}
                  onChange={(role) => change.mutate({ memberId: member.id, role })}
                  onEnd={() => setEnding(member)}
                />
              ))}
            </Table.Tbody>
          </Table>
          <LoadMore {...members} />
        </Panel>
      )}
      {mustProve && change.variables && (
        <ProveSecondFactor onProved={() => change.mutate(change.variables)} onClose={change.reset} />
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
    // One's own role may be the one that changed, and with it what may be sent out.
    onSettled: () =>
      Promise.all(
        [queryKeys.members(organisationId), queryKeys.invitations(organisationId), queryKeys.session].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

interface MemberRowProps {
  member: Member;
  own: Role | undefined;
  isSelf: boolean;
  isBusy: boolean;
  onChange: (role: Role) => void;
  onEnd: () => void;
}

function MemberRow({ member, own, isSelf, isBusy, onChange, onEnd }: MemberRowProps): ReactNode {
  const { name, email, role, suspendedAt } = member;
  const within = useRolesWithin(own);
  const mayChange = useReasonAgainst(own, 'members.change') === undefined && within.includes(role);
  const place = mayChange ? (
    <NativeSelect
      size="xs"
      w={120}
      aria-label={`Role of ${name}`}
      title={ROLE_MEANING[role]}
      data={within}
      value={role}
      disabled={isBusy}
      onChange={(event) => onChange(event.currentTarget.value as Role)} // one of `within`
    />
  ) : (
    <Tag>{role}</Tag>
  );
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text fw={550}>
          {name}
          {isSelf && ' (you)'}
        </Text>
        <Text c="dimmed" fz="xs">
          {email}
        </Text>
        {suspendedAt !== null && (
          <Text c="dimmed" fz="xs">
            Suspended: the operator restored a backup. Reinstate the member to give access back.
          </Text>
        )}
        <Box hiddenFrom="sm" mt={6}>
          {place}
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">{place}</Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end">
          {suspendedAt !== null && within.includes(role) && (
            <GuardedButton
              role={own}
              action="members.change"
              variant="default"
              size="xs"
              aria-label={`Reinstate ${name}`}
              onClick={() => onChange(role)}
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
              onClick={onEnd}
            >
              {isSelf ? 'Leave' : 'Remove'}
            </GuardedButton>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
