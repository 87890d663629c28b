// Shows an app's rights in production, and how to request them.
import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { LiveAccess } from '../../kit/api.ts';
import notes from '../../kit/notes.module.css';
import { counted } from '../../kit/number.ts';
import { Panel } from '../../kit/panel.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { STATUS_LABELS } from './labels.ts';

export function LiveAccessStatusPanel({ access, action }: { access: LiveAccess; action?: ReactNode }): ReactNode {
  const { status, scopes, maxServers, reason, isConfirmed } = access;
  const [tone, word] = STATUS_LABELS[status];
  return (
    <Panel p="md">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <IconWorld size={18} aria-hidden />
            <Text fw={600}>In production</Text>
            <StateBadge tone={tone}>{word}</StateBadge>
          </Group>
          {action}
        </Group>
        <Group gap={4}>
          {scopes.map((scope) => (
            <Code key={scope}>{scope}</Code>
          ))}
          {scopes.length === 0 && <Text c="dimmed">No scope is approved.</Text>}
        </Group>
        <Text c="dimmed">
          {maxServers === null ? 'On any number of servers.' : `On ${counted(maxServers, 'server')} at most.`}
          {reason && ` ${reason}`}
        </Text>
        {!isConfirmed && (
          <Alert className={notes.warning ?? ''}>
            Production has not confirmed this yet. Slipway repeats the report until production confirms it.
          </Alert>
        )}
      </Stack>
    </Panel>
  );
}
