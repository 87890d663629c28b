// The table of keys: what logs show of each, what it may do, and how long.
import { Group, Stack, Table, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Key, Role } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { SCOPE_MEANING } from '../../kit/scopes.ts';
import { StateBadge, Tag } from '../../kit/state-badge.tsx';
import { exactTime, useNowMs } from '../../kit/time.ts';
import { When } from '../../kit/when.tsx';
import { daysLeft, KEY_TONES, publicText } from './key-words.ts';

interface KeyTableProps {
  keys: Key[];
  role: Role | undefined;
  onRevoke: (key: Key) => void;
}

export function KeyTable({ keys, role, onRevoke }: KeyTableProps): ReactNode {
  return (
    <Table aria-label="Keys" verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Key</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            Scopes
          </Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            State
          </Table.Th>
          <Table.Th scope="col" visibleFrom="md">
            Generated
          </Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            Expires
          </Table.Th>
          <Table.Th scope="col" ta="right" visibleFrom="sm">
            Actions
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} subject={key} role={role} onRevoke={onRevoke} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface KeyRowProps {
  subject: Key;
  role: Role | undefined;
  onRevoke: (key: Key) => void;
}

function KeyRow({ subject, role, onRevoke }: KeyRowProps): ReactNode {
  const state = <StateBadge tone={KEY_TONES[subject.state]}>{subject.state}</StateBadge>;
  const revoke = subject.state === 'active' && (
    <GuardedButton
      role={role}
      action="keys.revoke"
      variant="default"
      size="xs"
      aria-label={`Revoke ${subject.name}`}
      onClick={() => onRevoke(subject)}
    >
      Revoke
    </GuardedButton>
  );
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
          {subject.name}
        </Text>
        <CopyId value={subject.kid} shown={publicText(subject.kid)} label="kid" />
        <Stack hiddenFrom="sm" gap="xs" mt={6}>
          <Scopes scopes={subject.scopes} />
          <Group justify="space-between">
            <Group gap="xs">
              {state}
              <Expiry subject={subject} />
            </Group>
            {revoke}
          </Group>
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Scopes scopes={subject.scopes} />
      </Table.Td>
      <Table.Td visibleFrom="sm">{state}</Table.Td>
      <Table.Td visibleFrom="md">
        <When at={subject.createdAt} />
        <Text c="dimmed" fz="xs">
          by {subject.createdBy}
        </Text>
        {subject.allowedCidrs && (
          <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }}>
            from {subject.allowedCidrs.join(', ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Expiry subject={subject} />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {revoke}
      </Table.Td>
    </Table.Tr>
  );
}

function Scopes({ scopes }: { scopes: Key['scopes'] }): ReactNode {
  return (
    <Group gap={4} maw={300}>
      {scopes.map((scope) => (
        <Tooltip key={scope} label={SCOPE_MEANING[scope]}>
          <Tag isCode>{scope}</Tag>
        </Tooltip>
      ))}
    </Group>
  );
}

function Expiry({ subject }: { subject: Key }): ReactNode {
  const left = daysLeft(subject, useNowMs());
  if (subject.revokedAt !== null) return <When at={subject.revokedAt} prefix="revoked " />;
  if (!left) return <When at={subject.expiresAt} prefix="expired " />;
  return (
    <Tooltip label={exactTime(subject.expiresAt)}>
      <Text component="time" dateTime={subject.expiresAt} {...(left.isSoon && { c: 'var(--bad)', fw: 600 })}>
        {left.text}
      </Text>
    </Tooltip>
  );
}
