// Shows the stored headers and body of a request that ended in a problem, as text. A truncated body is marked.
import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../kit/code-block.tsx';
import { Tag } from '../../kit/state-badge.tsx';
import type { SentRequestContext } from './error-context.ts';

export function SentRequest({ context: { headers, body, isTruncated } }: { context: SentRequestContext }): ReactNode {
  if (headers.length === 0 && body === undefined && !isTruncated) return null;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={3} fz={14.5}>
          Request
        </Title>
        {isTruncated && <Tag>cut off</Tag>}
      </Group>
      <Text c="dimmed" fz="xs">
        Identifiers, numbers and words of the contract are stored. For other values only type and size are stored. A *
        replaces names that are not in the contract.
      </Text>
      {headers.length > 0 && (
        <CodeBlock label="Headers, masked" wraps maxHeight={180}>
          {headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        </CodeBlock>
      )}
      {body !== undefined && (
        <CodeBlock label="Body, masked" wraps>
          {body}
        </CodeBlock>
      )}
    </Stack>
  );
}
