// Shows the content of a submitted request.
import { Code, Group, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LiveAccessRequestDetail } from '../../kit/api.ts';
import { Panel } from '../../kit/panel.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';

const BREAKS = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

export function RequestedAccess({
  request: { scopes, contacts, approvedScopes },
}: {
  request: LiveAccessRequestDetail;
}): ReactNode {
  return (
    <Panel p="md">
      <Stack>
        {scopes.map(({ scope, purpose, dataUse }) => (
          <Stack key={scope} gap={4}>
            <Group gap="sm">
              <Code>{scope}</Code>
              {approvedScopes && (
                <StateBadge tone={approvedScopes.includes(scope) ? 'good' : 'none'}>
                  {approvedScopes.includes(scope) ? 'approved' : 'not approved'}
                </StateBadge>
              )}
            </Group>
            <Text style={BREAKS}>{purpose}</Text>
            <Text c="dimmed" style={BREAKS}>
              {dataUse}
            </Text>
          </Stack>
        ))}
        <List listStyleType="none" size="sm">
          {contacts.map(({ kind, name, email }) => (
            <List.Item key={kind + email} style={BREAKS}>
              Contact for {kind} questions: {name}, {email}
            </List.Item>
          ))}
        </List>
      </Stack>
    </Panel>
  );
}
