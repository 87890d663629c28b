// Summary of one endpoint: address, event types, key, and state. Details are on its page.
import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppScope, Endpoint, Role } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { counted } from '../../kit/number.ts';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Tag } from '../../kit/state-badge.tsx';
import { describeCondition } from './condition-text.ts';
import { ENDPOINT_PATH } from './endpoint-frame.tsx';
import { EndpointState, KeyLine, KeysEndWarning } from './endpoint-state.tsx';
import { formatRate } from './health-labels.ts';

interface EndpointCardProps {
  scope: AppScope;
  endpoint: Endpoint;
  role: Role | undefined;
  onDelete: (endpoint: Endpoint) => void;
}

export function EndpointCard({ scope, endpoint, role, onDelete }: EndpointCardProps): ReactNode {
  const params = { ...scope, endpointId: endpoint.id };
  const { failingSince } = endpoint.health;
  return (
    <Panel p="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={6} miw={0} flex="1 1 260px">
          <Group gap="xs">
            <AnchorLink
              to={ENDPOINT_PATH}
              params={params}
              fw={600}
              ff="monospace"
              fz={13.5}
              style={{ overflowWrap: 'anywhere' }}
            >
              {endpoint.url}
            </AnchorLink>
            <EndpointState endpoint={endpoint} />
          </Group>
          {endpoint.description !== '' && <Text>{endpoint.description}</Text>}
          {endpoint.disabledReason !== null && <Text>Disabled: {endpoint.disabledReason}</Text>}
          <KeyLine endpoint={endpoint} />
          <KeysEndWarning endpoint={endpoint} />
          <Text {...(failingSince !== null && { c: 'var(--bad)' })}>
            {formatRate(endpoint.health)}
            {failingSince !== null && (
              <>
                ; the first of these failures was <RelativeTime at={failingSince} />
              </>
            )}
            .
          </Text>
          <Group gap="xs">
            {endpoint.eventTypes.map((type) => (
              <Tag key={type} isCode>
                {type === '*' ? 'every type' : type}
              </Tag>
            ))}
            {endpoint.serverIds && <Tag>{counted(endpoint.serverIds.length, 'server')}</Tag>}
            {endpoint.conditions.map((one) => (
              <Tag key={describeCondition(one)} isCode>
                {describeCondition(one)}
              </Tag>
            ))}
          </Group>
          <Group gap="xs" c="dimmed" fz="xs">
            <CopyId value={endpoint.id} label="endpoint id" />
            <Text fz="xs">
              added <RelativeTime at={endpoint.createdAt} /> by {endpoint.createdBy}
            </Text>
          </Group>
        </Stack>
        <Group gap="xs">
          <ButtonLink
            to={ENDPOINT_PATH}
            params={params}
            variant="default"
            size="xs"
            aria-label={`Open ${endpoint.url}`}
          >
            Open
          </ButtonLink>
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
      </Group>
    </Panel>
  );
}
