// One endpoint: where, what, through which key, and whether that works as things stand.
import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Endpoint, Role } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { Panel } from '../../kit/panel.tsx';
import { StateBadge, Tag } from '../../kit/state-badge.tsx';
import { When } from '../../kit/when.tsx';
import { publicText } from '../keys/key-words.ts';

interface EndpointCardProps {
  endpoint: Endpoint;
  role: Role | undefined;
  onDelete: (endpoint: Endpoint) => void;
}

export function EndpointCard({ endpoint, role, onDelete }: EndpointCardProps): ReactNode {
  return (
    <Panel p="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={6} miw={0} flex="1 1 260px">
          <Group gap="xs">
            <Text fw={600} ff="monospace" fz={13.5} style={{ overflowWrap: 'anywhere' }}>
              {endpoint.url}
            </Text>
            <EndpointState endpoint={endpoint} />
          </Group>
          {endpoint.description !== '' && <Text>{endpoint.description}</Text>}
          {endpoint.disabledReason !== null && <Text>Disabled: {endpoint.disabledReason}</Text>}
          <KeyLine endpoint={endpoint} />
          <Group gap="xs">
            {endpoint.eventTypes.map((type) => (
              <Tag key={type} isCode>
                {type}
              </Tag>
            ))}
          </Group>
          <Group gap="xs" c="dimmed" fz="xs">
            <CopyId value={endpoint.id} label="endpoint id" />
            <Text fz="xs">
              added <When at={endpoint.createdAt} /> by {endpoint.createdBy}
            </Text>
          </Group>
        </Stack>
        <GuardedButton
          role={role}
          action="endpoints.change"
          variant="default"
          size="xs"
          aria-label={`Delete ${endpoint.url}`}
          onClick={() => onDelete(endpoint)}
        >
          Delete
        </GuardedButton>
      </Group>
    </Panel>
  );
}

function EndpointState({ endpoint: { state, keyState } }: { endpoint: Endpoint }): ReactNode {
  if (state !== 'enabled') return <StateBadge tone="warning">{state}</StateBadge>;
  // It is switched on and nothing leaves it: green would be half the truth.
  if (keyState !== 'active') return <StateBadge tone="bad">not delivering</StateBadge>;
  return <StateBadge tone="good">enabled</StateBadge>;
}

const KEY_SENTENCES: Record<Endpoint['keyState'], string> = {
  active: '',
  expired: 'The key has expired: nothing is delivered. Add the endpoint again with another key.',
  revoked: 'The key was revoked: nothing is delivered. Add the endpoint again with another key.',
  missing_scope: 'The key lacks events:read: nothing is delivered. Add the endpoint again with another key.',
};

function KeyLine({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const isActive = endpoint.keyState === 'active';
  return (
    <Group gap="xs">
      <Text>
        through{' '}
        <Text component="span" ff="monospace" fz={13}>
          {publicText(endpoint.keyKid)}
        </Text>
      </Text>
      <StateBadge tone={isActive ? 'good' : 'bad'}>{`key ${endpoint.keyState.replaceAll('_', ' ')}`}</StateBadge>
      {!isActive && <Text>{KEY_SENTENCES[endpoint.keyState]}</Text>}
    </Group>
  );
}
