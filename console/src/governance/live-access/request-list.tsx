// The requests of an app, the newest first; one of them is shown above.
import { Stack, Table, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LiveAccessRequest } from '../../kit/api.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { When } from '../../kit/when.tsx';
import { STATE_WORDS } from './words.ts';

interface RequestListProps {
  requests: LiveAccessRequest[];
  shown: string | undefined;
  onShow: (id: string) => void;
}

export function RequestList({ requests, shown, onShow }: RequestListProps): ReactNode {
  return (
    <Stack gap="xs">
      <SectionHead title="All requests of this app" order={3} />
      <Panel>
        <Table aria-label="Requests for live access">
          <Table.Tbody>
            {requests.map(({ id, state, scopes, createdAt }) => {
              const [tone, word] = STATE_WORDS[state];
              return (
                <Table.Tr key={id}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <UnstyledButton aria-pressed={id === shown} td="underline" onClick={() => onShow(id)}>
                      {scopes.map(({ scope }) => scope).join(', ') || 'No scopes yet'}
                    </UnstyledButton>
                  </Table.Td>
                  <Table.Td>
                    <StateBadge tone={tone}>{word}</StateBadge>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <When at={createdAt} />
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Panel>
    </Stack>
  );
}
