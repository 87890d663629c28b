// The table of keys: what logs show of each, what it may do, and how long.
import { Group, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Action, Key, Role } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { hint, TIME_HINT } from '../../kit/hints.tsx';
import { StateBadge, Tag } from '../../kit/state-badge.tsx';
import { useNowMs } from '../../kit/time.ts';
import { When } from '../../kit/when.tsx';
import { daysLeft, describeUse, endOf, isRotated, KEY_TONES, publicText, unusedOf } from './key-words.ts';
import classes from './keys.module.css';

/** What can be asked of a row. */
export type KeyWish = 'change' | 'rotate' | 'narrow' | 'revoke';

interface KeyTableProps {
  keys: Key[];
  role: Role | undefined;
  onWish: (wish: KeyWish, key: Key) => void;
}

/** Where there is room: two scopes in a line, and the buttons beside each other. */
const WIDTHS = { scopes: 250, generated: 175, lastUsed: 150, state: 160, actions: 250 };

export function KeyTable({ keys, ...rest }: KeyTableProps): ReactNode {
  return (
    <Table aria-label="Keys" verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Key</Table.Th>
          <Table.Th scope="col" visibleFrom="sm" w={WIDTHS.scopes}>
            Scopes
          </Table.Th>
          <Table.Th scope="col" visibleFrom="md" w={WIDTHS.generated}>
            Generated
          </Table.Th>
          <Table.Th scope="col" visibleFrom="md" w={WIDTHS.lastUsed}>
            Last used
          </Table.Th>
          <Table.Th scope="col" visibleFrom="sm" w={WIDTHS.state}>
            State
          </Table.Th>
          <Table.Th scope="col" ta="right" visibleFrom="sm" w={WIDTHS.actions}>
            Actions
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} subject={key} {...rest} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

type KeyRowProps = Omit<KeyTableProps, 'keys'> & { subject: Key };

function KeyRow({ subject, role, onWish }: KeyRowProps): ReactNode {
  const state = <StateBadge tone={KEY_TONES[subject.state]}>{subject.state}</StateBadge>;
  const actions = <Actions subject={subject} role={role} onWish={onWish} />;
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
          {subject.name}
        </Text>
        {subject.note !== null && (
          <Text c="dimmed" fz="xs" maw={260} style={{ overflowWrap: 'anywhere' }}>
            {subject.note}
          </Text>
        )}
        <CopyId value={subject.kid} shown={publicText(subject.kid)} label="kid" />
        <Stack hiddenFrom="sm" gap="xs" mt={6}>
          <Scopes subject={subject} role={role} onWish={onWish} />
          <Group gap="xs">
            {state}
            <Expiry subject={subject} />
          </Group>
          <Group gap={6} c="dimmed" fz="xs">
            <LastUse subject={subject} />
          </Group>
          {actions}
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Scopes subject={subject} role={role} onWish={onWish} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <When at={subject.createdAt} />
        <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }}>
          by {subject.createdBy}
        </Text>
        {subject.allowedCidrs && (
          <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }}>
            from {subject.allowedCidrs.join(', ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="md">
        <LastUse subject={subject} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Stack gap={2} align="flex-start" fz="sm">
          {state}
          <Expiry subject={subject} />
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="sm">{actions}</Table.Td>
    </Table.Tr>
  );
}

function Actions({ subject, role, onWish }: KeyRowProps): ReactNode {
  const button = (label: string, wish: KeyWish, action: Action): ReactNode => (
    <GuardedButton
      role={role}
      action={action}
      variant="default"
      size="xs"
      aria-label={`${label} ${subject.name}${isRotated(subject) ? ', the rotated one' : ''}`}
      onClick={() => onWish(wish, subject)}
    >
      {label}
    </GuardedButton>
  );
  if (subject.state !== 'active') return null;
  return (
    <Group gap={6} justify="flex-end">
      {button('Change', 'change', 'keys.change')}
      {!isRotated(subject) && button('Rotate', 'rotate', IS_PRODUCTION ? 'production_keys.create' : 'keys.rotate')}
      {button('Revoke', 'revoke', 'keys.revoke')}
    </Group>
  );
}

function LastUse({ subject: { lastUsedAt, lastUsedFrom } }: { subject: Key }): ReactNode {
  if (lastUsedAt === null)
    return (
      <Text inherit style={{ whiteSpace: 'nowrap' }}>
        never used
      </Text>
    );
  return (
    <>
      <When at={lastUsedAt} prefix="used " />
      {lastUsedFrom !== null && (
        <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }}>
          from {lastUsedFrom}
        </Text>
      )}
    </>
  );
}

function Scopes({ subject, role, onWish }: KeyRowProps): ReactNode {
  const unused = unusedOf(subject);
  return (
    <Stack gap={6} align="flex-start">
      <Group gap={4} className={classes.scopes}>
        {subject.scopes.map((scope) => (
          <Tag key={scope} isCode isFaint={unused.includes(scope)} {...hint(describeUse(subject, scope))}>
            {scope}
          </Tag>
        ))}
      </Group>
      {unused.length > 0 && (
        <GuardedButton
          role={role}
          action={IS_PRODUCTION ? 'production_keys.create' : 'keys.rotate'}
          variant="subtle"
          size="compact-xs"
          aria-label={`Remove unused scopes of ${subject.name}`}
          onClick={() => onWish('narrow', subject)}
        >
          Remove {unused.length} unused
        </GuardedButton>
      )}
    </Stack>
  );
}

function Expiry({ subject }: { subject: Key }): ReactNode {
  const left = daysLeft(subject, useNowMs());
  if (subject.revokedAt !== null) return <When at={subject.revokedAt} prefix="revoked " />;
  if (!left) return <When at={subject.expiresAt} prefix="expired " />;
  const at = endOf(subject);
  return (
    <Text component="time" dateTime={at} {...TIME_HINT} {...(left.isSoon && { c: 'var(--bad)', fw: 600 })}>
      {isRotated(subject) ? `rotated: ${left.text}` : left.text}
    </Text>
  );
}
