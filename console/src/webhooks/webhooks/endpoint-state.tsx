// Shows whether an endpoint currently delivers, and its key.
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Endpoint } from '../../kit/api.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { publicText } from '../../tenancy/keys/key-labels.ts';

export function EndpointState({ endpoint: { state, keyState } }: { endpoint: Endpoint }): ReactNode {
  if (state !== 'enabled') return <StateBadge tone="warning">{state}</StateBadge>;
  // The endpoint is enabled but sends nothing, so green would mislead.
  if (keyState !== 'active') return <StateBadge tone="bad">not delivering</StateBadge>;
  return <StateBadge tone="good">enabled</StateBadge>;
}

const KEY_SENTENCES: Record<Endpoint['keyState'], string> = {
  active: '',
  expired: 'The key has expired: nothing is delivered. Select another key in the endpoint’s settings.',
  revoked: 'The key was revoked: nothing is delivered. Select another key in the endpoint’s settings.',
  missing_scope: 'The key lacks events:read: nothing is delivered. Select another key in the endpoint’s settings.',
};

export function KeyLine({ endpoint }: { endpoint: Endpoint }): ReactNode {
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
