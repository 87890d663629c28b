// Lists the keys that expire next, with the remaining share of their lifetime.
import { Group, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppScope, Key } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { TIME_HINT } from '../../kit/hints.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { useNowMs } from '../../kit/time.ts';
import { daysLeft, isRotated, shareLeft } from './key-labels.ts';

const DAY_MS = 86_400_000;
/** Notices begin seven days before the end. */
const NEAR_DAYS = 14;
const SHOWN = 5;

interface ExpiringKeysProps {
  scope: AppScope;
  keys: readonly Key[];
  /** True if some keys are not loaded. */
  hasMore: boolean;
}

export function ExpiringKeys({ scope, keys, hasMore }: ExpiringKeysProps): ReactNode {
  const nowMs = useNowMs();
  const next = keys
    // A rotated key is omitted: its successor is listed.
    .filter((key) => daysLeft(key, nowMs) !== undefined && !isRotated(key))
    .sort((a, b) => a.expiresAt.localeCompare(b.expiresAt));
  const near = next.filter(({ expiresAt }) => Date.parse(expiresAt) - nowMs < NEAR_DAYS * DAY_MS);
  const [first] = next;
  if (!first) return null;
  const shown = near.length > 0 ? near.slice(0, SHOWN) : [first];
  const columns: Column<Key>[] = [
    {
      head: 'Key',
      w: { base: 'auto', sm: '40%' },
      isRowHeader: true,
      cell: ({ name }) => (
        <Text truncate title={name} fw={550}>
          {name}
        </Text>
      ),
    },
    {
      head: 'Time left',
      from: 'sm',
      cell: (key) => (
        <Progress
          value={shareLeft(key, nowMs) * 100}
          color={daysLeft(key, nowMs)?.isSoon ? 'red.8' : 'tide.6'}
          aria-label={`Time left of ${key.name}`}
        />
      ),
    },
    { head: 'Expires', w: 170, align: 'right', cell: (key) => <TimeLeft subject={key} nowMs={nowMs} /> },
  ];
  return (
    <Stack gap="xs">
      <SectionHead
        title="Keys nearing expiry"
        order={3}
        action={
          <ButtonLink to="/in/$organisationId/apps/$appId/keys" params={scope} variant="default" size="xs">
            All keys
          </ButtonLink>
        }
      >
        {summaryOf(near.length)} {hasMore && 'The oldest keys are not included.'}
      </SectionHead>
      <Panel>
        <DataTable
          label="Keys nearing expiry"
          isHeadless
          layout="fixed"
          columns={columns}
          rows={shown}
          rowKey={({ id }) => id}
        />
      </Panel>
    </Stack>
  );
}

function summaryOf(count: number): string {
  if (count === 0) return `No key expires within ${NEAR_DAYS} days. The next one is:`;
  const keys = count === 1 ? '1 key expires' : `${count} keys expire`;
  return `${keys} within ${NEAR_DAYS} days. Rotate ${count === 1 ? 'it' : 'them'} before the expiry.`;
}

function TimeLeft({ subject, nowMs }: { subject: Key; nowMs: number }): ReactNode {
  const left = daysLeft(subject, nowMs);
  if (!left) return null;
  const Icon = left.isSoon ? IconAlertTriangle : IconClock;
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end" {...(left.isSoon && { c: 'var(--bad)' })}>
      <Icon size={15} aria-hidden style={{ flexShrink: 0 }} />
      <Text component="time" dateTime={subject.expiresAt} inherit {...TIME_HINT}>
        {left.text}
      </Text>
    </Group>
  );
}
