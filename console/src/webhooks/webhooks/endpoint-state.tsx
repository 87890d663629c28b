// Shows whether an endpoint currently delivers, and its keys.
import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Endpoint } from '../../kit/api.ts';
import notes from '../../kit/notes.module.css';
import { counted } from '../../kit/number.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { useNowMs } from '../../kit/time.ts';
import { publicText } from '../../tenancy/keys/key-labels.ts';

export function EndpointState({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const endsSoon = useKeysEndSoon(endpoint);
  const { state, keyState, health } = endpoint;
  if (state !== 'enabled') return <StateBadge tone="warning">{state}</StateBadge>;
  // The endpoint is enabled but sends nothing, so green would mislead.
  if (keyState !== 'active') return <StateBadge tone="bad">not delivering</StateBadge>;
  if (health.failingSince !== null) return <StateBadge tone="bad">failing</StateBadge>;
  if (endsSoon) return <StateBadge tone="warning">last key ends soon</StateBadge>;
  return <StateBadge tone="good">enabled</StateBadge>;
}

const KEY_SENTENCES: Record<Endpoint['keyState'], string> = {
  active: '',
  expired: 'The key has expired: nothing is delivered. Select another key in the endpoint’s settings.',
  revoked: 'The key was revoked: nothing is delivered. Select another key in the endpoint’s settings.',
  missing_scope: 'The key lacks events:read: nothing is delivered. Select another key in the endpoint’s settings.',
};

const DAY_MS = 86_400_000;
/** Notices of expiring keys begin at the same time. */
const WARNED_DAYS = 7;

function useKeysEndSoon({ state, keyState, keysEndAt }: Endpoint): boolean {
  const nowMs = useNowMs();
  if (state !== 'enabled' || keyState !== 'active' || keysEndAt === null) return false;
  return Date.parse(keysEndAt) - nowMs <= WARNED_DAYS * DAY_MS;
}

/** Warns if the last usable key of the endpoint ends soon. */
export function KeysEndWarning({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const endsSoon = useKeysEndSoon(endpoint);
  const { keysEndAt } = endpoint;
  if (!endsSoon || keysEndAt === null) return null;
  return (
    <Alert className={notes.warning ?? ''} title="The last key ends soon" icon={<IconAlertTriangle aria-hidden />}>
      The last valid key ends <RelativeTime at={keysEndAt} />, and deliveries stop then. Rotate the key, or add another
      key to the endpoint.
    </Alert>
  );
}

function countFurther({ keyIds }: Endpoint): string {
  const further = keyIds.length - 1;
  return further === 0 ? '' : ` and ${counted(further, 'further key')}`;
}

export function KeyLine({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const isActive = endpoint.keyState === 'active';
  return (
    <Group gap="xs">
      <Text>
        through{' '}
        <Text component="span" ff="monospace" fz={13}>
          {publicText(endpoint.keyKid)}
        </Text>
        {countFurther(endpoint)}
      </Text>
      <StateBadge tone={isActive ? 'good' : 'bad'}>{`key ${endpoint.keyState.replaceAll('_', ' ')}`}</StateBadge>
      {!isActive && <Text>{KEY_SENTENCES[endpoint.keyState]}</Text>}
    </Group>
  );
}
