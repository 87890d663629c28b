// Shows one event type as it is delivered to endpoints.
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../kit/code-block.tsx';
import { BodyPart, ExampleBlock, ParametersPart, Part } from './parts.tsx';
import { Prose } from './prose.tsx';
import type { EventKind, Reference } from './reference.ts';
import { Replies } from './replies.tsx';

export function EventView({ event, reference }: { event: EventKind; reference: Reference }): ReactNode {
  const { document } = reference;
  const { id, summary, description, parameters, body, replies } = event;
  return (
    <Stack gap="lg" maw={760}>
      <Stack gap={4}>
        <Title order={2} fz={20} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {id}
        </Title>
        <Text>{summary}</Text>
      </Stack>
      <Prose>{description}</Prose>
      <ParametersPart document={document} parameters={parameters} />
      {body && (
        <Part title="Body">
          <BodyPart document={document} body={body} />
          {body.examples.map((example) => (
            <Stack key={example.name} gap={8}>
              <ExampleBlock example={example} label="Event" />
              {example['x-headers'] && (
                <CodeBlock label={`Headers: ${example.summary ?? example.name}`} wraps>
                  {Object.entries(example['x-headers'])
                    .map(([name, value]) => `${name}: ${value}`)
                    .join('\n')}
                </CodeBlock>
              )}
            </Stack>
          ))}
        </Part>
      )}
      {replies.length > 0 && (
        <Part title="Expected response">
          <Replies document={document} replies={replies} />
        </Part>
      )}
    </Stack>
  );
}
