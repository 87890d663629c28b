// Table of keys: public part, scopes and lifetime.
import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ActivityLink } from '../../inspector/key-activity/activity-link.tsx';
import type { Action, Key, Role } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { hint, TIME_HINT } from '../../kit/hints.tsx';
import { counted } from '../../kit/number.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge, Tag } from '../../kit/state-badge.tsx';
import { useNowMs } from '../../kit/time.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { daysLeft, describeUse, endOf, isRotated, KEY_TONES, publicText, unusedOf } from './key-labels.ts';
import classes from './keys.module.css';

/** Actions on a key. */
export type KeyAction = 'change' | 'rotate' | 'narrow' | 'revoke';

interface KeyTableProps {
  keys: Key[];
  role: Role | undefined;
  onAction: (input: KeyAction, key: Key) => void;
}

export function KeyTable({ keys, role, onAction }: KeyTableProps): ReactNode {
  const columns: Column<Key>[] = [
    { head: 'Key', cell: (key) => <Name subject={key} /> },
    {
      head: 'Scopes',
      w: 210,
      from: 'sm',
      fold: true,
      cell: (key) => <Scopes subject={key} role={role} onAction={onAction} />,
    },
    { head: 'Generated', w: 170, from: 'md', cell: (key) => <Generation subject={key} /> },
    {
      head: 'Last used',
      w: 150,
      from: 'md',
      fold: (key) => (
        <Group gap={6}>
          <LastUse subject={key} />
        </Group>
      ),
      cell: (key) => <LastUse subject={key} />,
    },
    {
      head: 'State',
      w: 120,
      from: 'sm',
      fold: (key) => (
        <Group gap="xs" fz="sm" c="var(--mantine-color-text)">
          <State subject={key} />
        </Group>
      ),
      cell: (key) => (
        <Stack gap={2} align="flex-start" fz="sm">
          <State subject={key} />
        </Stack>
      ),
    },
    {
      head: 'Actions',
      w: 280,
      align: 'right',
      from: 'sm',
      fold: (key) => (
        <Group gap={6}>
          <Actions subject={key} role={role} onAction={onAction} />
        </Group>
      ),
      cell: (key) => (
        <Group gap={6} justify="flex-end" wrap="nowrap">
          <Actions subject={key} role={role} onAction={onAction} />
        </Group>
      ),
    },
  ];
  return <DataTable label="Keys" verticalSpacing="sm" columns={columns} rows={keys} rowKey={({ id }) => id} />;
}

interface KeyCellProps {
  subject: Key;
}

type KeyRowProps = Omit<KeyTableProps, 'keys'> & KeyCellProps;

function Name({ subject: { name, note, kid } }: KeyCellProps): ReactNode {
  return (
    <>
      <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      {note !== null && (
        <Text c="dimmed" fz="xs" maw={260} style={{ overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      )}
      <CopyId value={kid} shown={publicText(kid)} label="kid" />
    </>
  );
}

function Generation({ subject: { createdAt, createdBy, allowedCidrs } }: KeyCellProps): ReactNode {
  return (
    <>
      <RelativeTime at={createdAt} />
      <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }}>
        by <BreakableAddress>{createdBy}</BreakableAddress>
      </Text>
      {allowedCidrs && (
        <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }}>
          from {allowedCidrs.join(', ')}
        </Text>
      )}
    </>
  );
}

/** An address that does not fit on a line is broken before its domain. */
function BreakableAddress({ children }: { children: string }): ReactNode {
  const at = children.lastIndexOf('@');
  return (
    <>
      {children.slice(0, Math.max(at, 0))}
      <wbr />
      {children.slice(Math.max(at, 0))}
    </>
  );
}

function State({ subject }: KeyCellProps): ReactNode {
  return (
    <>
      <StateBadge tone={KEY_TONES[subject.state]}>{subject.state}</StateBadge>
      <Expiry subject={subject} />
    </>
  );
}

function Actions({ subject, role, onAction }: KeyRowProps): ReactNode {
  const button = (label: string, input: KeyAction, action: Action): ReactNode => (
    <GuardedButton
      role={role}
      action={action}
      variant="default"
      size="xs"
      aria-label={`${label} ${subject.name}${isRotated(subject) ? ', the rotated one' : ''}`}
      onClick={() => onAction(input, subject)}
    >
      {label}
    </GuardedButton>
  );
  if (subject.state !== 'active') return null;
  return (
    <>
      {button('Change', 'change', 'keys.change')}
      {!isRotated(subject) && button('Rotate', 'rotate', IS_PRODUCTION ? 'production_keys.create' : 'keys.rotate')}
      {button('Revoke', 'revoke', 'keys.revoke')}
    </>
  );
}

function LastUse({ subject: { id, name, lastUsedAt, lastUsedFrom } }: KeyCellProps): ReactNode {
  const scope = useAppScope();
  return (
    <>
      {lastUsedAt === null ? (
        <Text inherit style={{ whiteSpace: 'nowrap' }}>
          never used
        </Text>
      ) : (
        <Text component="div" inherit>
          <RelativeTime at={lastUsedAt} prefix="used " />
        </Text>
      )}
      <ActivityLink scope={scope} keyId={id} name={name} />
      {lastUsedFrom !== null && (
        <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }}>
          from {lastUsedFrom}
        </Text>
      )}
    </>
  );
}

function Scopes({ subject, role, onAction }: KeyRowProps): ReactNode {
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
          aria-label={`Remove ${counted(unused.length, 'unused scope')} of ${subject.name}`}
          onClick={() => onAction('narrow', subject)}
        >
          Remove {unused.length} unused
        </GuardedButton>
      )}
    </Stack>
  );
}

function Expiry({ subject }: KeyCellProps): ReactNode {
  const left = daysLeft(subject, useNowMs());
  if (subject.revokedAt !== null) return <RelativeTime at={subject.revokedAt} prefix="revoked " />;
  if (!left) return <RelativeTime at={subject.expiresAt} prefix="expired " />;
  const at = endOf(subject);
  return (
    <Text component="time" dateTime={at} {...TIME_HINT} {...(left.isSoon && { c: 'var(--bad)', fw: 600 })}>
      {isRotated(subject) ? `rotated: ${left.text}` : left.text}
    </Text>
  );
}
