// The access tokens and terminals that a password reset or signing out everywhere has ended.
import { List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EndedAccess } from '../../kit/api.ts';

export function EndedAccessList({ ended: { accessTokens, terminals } }: { ended: EndedAccess }): ReactNode {
  if (accessTokens.length + terminals.length === 0) return <Text>You had no access tokens.</Text>;
  return (
    <Stack gap={4}>
      <Text>These no longer have access. Create a new token for each one that you still use.</Text>
      <List size="sm">
        {accessTokens.map(({ id, name, organisation }) => (
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
            {name} ({organisation})
          </List.Item>
        ))}
        {terminals.map((terminal, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two terminals can have one name, and the list never changes
          <List.Item key={at} style={{ overflowWrap: 'anywhere' }}>
            {terminal} (terminal)
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
