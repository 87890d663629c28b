// Lists the access that a password reset or a sign-out everywhere has ended: access tokens, terminals and provider
// links. Lists the links that remain, too.
import { List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EndedAccess } from '../../kit/api.ts';

export function EndedAccessList({ ended }: { ended: EndedAccess }): ReactNode {
  const { accessTokens, terminals, providerLinks } = ended;
  return (
    <Stack>
      {accessTokens.length + terminals.length === 0 ? (
        <Text>You had no access tokens.</Text>
      ) : (
        <EndedTokens accessTokens={accessTokens} terminals={terminals} />
      )}
      {providerLinks.map(({ issuer, linkedAt, state }) => (
        <Text key={`${issuer} ${linkedAt}`} style={{ overflowWrap: 'anywhere' }}>
          {state === 'ended'
            ? `The identity provider (${issuer ?? 'unknown'}) no longer signs you in. To use it again, link it in your account.`
            : `The identity provider (${issuer ?? 'unknown'}) still signs you in, because your account has no password. If you did not link it, sign in again and unlink it in your account.`}
        </Text>
      ))}
    </Stack>
  );
}

function EndedTokens({ accessTokens, terminals }: Pick<EndedAccess, 'accessTokens' | 'terminals'>): ReactNode {
  return (
    <Stack gap={4}>
      <Text>The following access has ended. Create new tokens for devices and scripts that you still use.</Text>
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
