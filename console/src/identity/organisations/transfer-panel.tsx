// Transfers the ownership of an organisation to another member.
import { Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, type Member, type Membership } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { useSession } from '../session/use-session.ts';
import { needsSecondFactor, VerifySecondFactor } from '../session/verify-second-factor.tsx';
import { useMembers } from './use-members.ts';

export interface OrganisationProps {
  organisation: Membership;
}

export function TransferPanel({ organisation }: OrganisationProps): ReactNode {
  const { id: organisationId, role } = organisation;
  const [chosen, setChosen] = useState<string | null>(null);
  const [next, setNext] = useState<Member>();
  const self = useSession().data?.person.email;
  const members = useMembers(organisationId);
  const others = members.items?.filter(({ email }) => email !== self) ?? [];
  return (
    <Panel p="lg">
      <Stack>
        <SectionHead title="Transfer ownership">
          Makes another member an owner and you an admin. Other owners keep their role.
        </SectionHead>
        {members.error && <ProblemAlert error={members.error} onRetry={() => void members.refetch()} />}
        {members.isPending && <Skeleton height={60} radius="sm" />}
        {members.items && others.length === 0 && (
          <Text c="dimmed">
            You are the only member.{' '}
            <AnchorLink to="/organisations/$organisationId/team" params={{ organisationId }} underline="always">
              Invite a person
            </AnchorLink>{' '}
            first.
          </Text>
        )}
        {others.length > 0 && (
          <Group align="flex-end">
            <Select
              label="New owner"
              placeholder="Select a member"
              searchable
              flex={1}
              data={others.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
              value={chosen}
              onChange={setChosen}
            />
            <GuardedButton
              role={role}
              action="organisation.transfer"
              variant="default"
              disabled={chosen === null}
              onClick={() => setNext(others.find(({ id }) => id === chosen))}
            >
              Transfer
            </GuardedButton>
          </Group>
        )}
        {next && <ConfirmTransfer organisation={organisation} next={next} onClose={() => setNext(undefined)} />}
      </Stack>
    </Panel>
  );
}

interface ConfirmTransferProps extends OrganisationProps {
  next: Member;
  onClose: () => void;
}

function ConfirmTransfer({
  organisation: { id: organisationId, name },
  next,
  onClose,
}: ConfirmTransferProps): ReactNode {
  const queries = useQueryClient();
  const transfer = useMutation({
    mutationFn: () => api.transferOwnership({ organisationId, body: { memberId: next.id } }),
    onSuccess: async () => {
      await Promise.all(
        [queryKeys.session, queryKeys.members(organisationId)].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      );
      notifications.show({ color: 'teal', title: 'Ownership transferred', message: `${next.name} now owns ${name}.` });
      onClose();
    },
  });
  const mustVerify = needsSecondFactor(transfer.error);
  return (
    <ConfirmDialog
      isOpen
      isShared
      title={`Transfer “${name}” to ${next.name}?`}
      action="Transfer ownership"
      isPending={transfer.isPending}
      error={mustVerify ? null : transfer.error}
      onConfirm={() => transfer.mutate()}
      onClose={onClose}
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        {next.email} becomes an owner, in every environment. You become an admin, and only an owner can make you one
        again.
      </Text>
      {mustVerify && <VerifySecondFactor onVerified={transfer.mutate} onClose={transfer.reset} />}
    </ConfirmDialog>
  );
}
