// The keys that expire next, each with how much of its life is left: a key ends by the clock, and whatever uses it with it.
import { Group, Progress, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppScope, Key } from '../../kit/api.ts';
import { TIME_HINT } from '../../kit/hints.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { useNowMs } from '../../kit/time.ts';
import { daysLeft, isRotated, shareLeft } from './key-words.ts';

const DAY_MS = 86_400_000;
/** Notices begin with seven days. */
const NEAR_DAYS = 14;
const SHOWN = 5;

interface ExpiringKeysProps {
  scope: AppScope;
  keys: readonly Key[];
  /** Whether there are keys that were not loaded. */
  hasMore: boolean;
}

export function ExpiringKeys({ scope, keys, hasMore }: ExpiringKeysProps): ReactNode {
  const nowMs = useNowMs();
  const next = keys
    // Of what was rotated the successor is told: nothing is left to be done.
    .filter((key) => daysLeft(key, nowMs) !== undefined && !isRotated(key))
    .sort((a, b) => a.expiresAt.localeCompare(b.expiresAt));
  const near = next.filter(({ expiresAt }) => Date.parse(expiresAt) - nowMs < NEAR_DAYS * DAY_MS);
  const [first] = next;
  if (!first) return null;
  const shown = near.length > 0 ? near.slice(0, SHOWN) : [first];
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
        {summaryOf(near.length)} {hasMore && 'The oldest keys are not looked at here.'}
      </SectionHead>
      <Panel>
        <Table aria-label="Keys nearing expiry" layout="fixed">
          <Table.Tbody>
            {shown.map((key) => (
              <ExpiringKey key={key.id} subject={key} nowMs={nowMs} />
            ))}
          </Table.Tbody>
        </Table>
      </Panel>
    </Stack>
  );
}

function summaryOf(count: number): string {
  if (count === 0) return `None within ${NEAR_DAYS} days. The next one is:`;
  return `${count} ${count === 1 ? 'expires' : 'expire'} within ${NEAR_DAYS} days: rotate ${count === 1 ? 'it' : 'them'} before.`;
}

function ExpiringKey({ subject, nowMs }: { subject: Key; nowMs: number }): ReactNode {
  const left = daysLeft(subject, nowMs);
  if (!left) return null;
  const Icon = left.isSoon ? IconAlertTriangle : IconClock;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={550} w={{ base: undefined, sm: '40%' }}>
        <Text truncate title={subject.name} fw={550}>
          {subject.name}
        </Text>
      </Table.Th>
      <Table.Td visibleFrom="sm">
        <Progress
          value={shareLeft(subject, nowMs) * 100}
          color={left.isSoon ? 'red.8' : 'tide.6'}
          aria-label={`What is left of the life of ${subject.name}`}
        />
      </Table.Td>
      <Table.Td w={170}>
        <Group gap={6} wrap="nowrap" justify="flex-end" {...(left.isSoon && { c: 'var(--bad)' })}>
          <Icon size={15} aria-hidden style={{ flexShrink: 0 }} />
          <Text component="time" dateTime={subject.expiresAt} inherit {...TIME_HINT}>
            {left.text}
          </Text>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
