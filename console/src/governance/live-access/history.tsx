// Lists the actions and comments of both sides, oldest first.
import { Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LiveAccessRequestDetail } from '../../kit/api.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { describeStep } from './labels.ts';

export function History({ steps }: { steps: LiveAccessRequestDetail['history'] }): ReactNode {
  return (
    <Stack gap="xs">
      <SectionHead title="History" order={3} />
      <Panel p="md">
        <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
          {steps.map(({ at, by, actor, action, text, scopes }) => (
            <Stack component="li" key={at + action} gap={2}>
              <Text style={{ overflowWrap: 'anywhere' }}>
                <strong>{actor}</strong>
                {by === 'reviewer' && ' (reviewer)'} {describeStep(action)}{' '}
                <Text component="span" c="dimmed">
                  <RelativeTime at={at} />
                </Text>
              </Text>
              {scopes.length > 0 && (
                <Group gap={4}>
                  {scopes.map((scope) => (
                    <Code key={scope}>{scope}</Code>
                  ))}
                </Group>
              )}
              {text && <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{text}</Text>}
            </Stack>
          ))}
        </Stack>
      </Panel>
    </Stack>
  );
}
