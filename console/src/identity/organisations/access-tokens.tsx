// Lists the member's access tokens, and those of all members if the role permits it.
import { Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type AccessToken, api } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge, Tag } from '../../kit/state-badge.tsx';
import { CreateAccessToken } from './create-access-token.tsx';
import type { OwnMembership } from './members.tsx';
import { useAccessTokens } from './use-members.ts';

export function AccessTokens({ organisationId, role }: OwnMembership): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const [revoking, setRevoking] = useState<AccessToken>();
  const tokens = useAccessTokens(organisationId);
  const create = (
    <GuardedButton
      role={role}
      action="tokens.create"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={dialog.open}
    >
      Create an access token
    </GuardedButton>
  );
  return (
    <Stack>
      <SectionHead title="Access tokens" action={tokens.items?.length ? create : undefined}>
        Tokens for terminals and scripts, which act in your name and within your role.
      </SectionHead>
      {tokens.error && <ProblemAlert error={tokens.error} onRetry={() => void tokens.refetch()} />}
      {tokens.isPending && <RowsSkeleton rows={2} />}
      {tokens.items?.length === 0 && (
        <EmptyList icon={<IconKey aria-hidden />} title="No access tokens yet" action={create}>
          Create a token for the CLI or a script. It is shown once.
        </EmptyList>
      )}
      {tokens.items && tokens.items.length > 0 && (
        <Panel>
          <TokenTable tokens={tokens.items} role={role} onRevoke={setRevoking} />
          <LoadMore {...tokens} />
        </Panel>
      )}
      {isOpen && <CreateAccessToken organisationId={organisationId} onClose={dialog.close} />}
      {revoking && (
        <RevokeAccessToken organisationId={organisationId} token={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </Stack>
  );
}

interface TokenTableProps {
  tokens: AccessToken[];
  role: OwnMembership['role'];
  onRevoke: (token: AccessToken) => void;
}

function TokenTable({ tokens, role, onRevoke }: TokenTableProps): ReactNode {
  const columns: Column<AccessToken>[] = [
    {
      head: 'Token',
      cell: ({ name, owner, state, expiresAt, lastUsedAt }) => (
        <>
          <Text fw={550}>{name}</Text>
          <Text c="dimmed" fz="xs">
            {owner}; {lastUsedAt ? <RelativeTime at={lastUsedAt} prefix="used " /> : 'never used'};{' '}
            <RelativeTime at={expiresAt} prefix={state === 'expired' ? 'expired ' : 'expires '} />
          </Text>
        </>
      ),
      wraps: true,
    },
    {
      head: 'Access',
      cell: ({ state, scope }) =>
        state === 'expired' ? <StateBadge tone="none">expired</StateBadge> : <Tag>{scope}</Tag>,
      from: 'sm',
      fold: true,
    },
    {
      head: 'Actions',
      align: 'right',
      cell: (token) => (
        <GuardedButton
          role={role}
          action="tokens.revoke"
          variant="default"
          size="xs"
          aria-label={`Revoke the access token ${token.name}`}
          onClick={() => onRevoke(token)}
        >
          Revoke
        </GuardedButton>
      ),
    },
  ];
  return (
    <DataTable label="Access tokens" verticalSpacing="sm" columns={columns} rows={tokens} rowKey={({ id }) => id} />
  );
}

interface RevokeProps {
  organisationId: string;
  token: AccessToken;
  onClose: () => void;
}

function RevokeAccessToken({ organisationId, token, onClose }: RevokeProps): ReactNode {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api.revokeAccessToken({ organisationId, accessTokenId: token.id }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.accessTokens(organisationId) });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      isShared
      title={`Revoke the access token “${token.name}”?`}
      action="Revoke the token"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <Text>This is final. The token is refused from its next request on.</Text>
    </ConfirmDialog>
  );
}
