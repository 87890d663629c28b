// Shows the result of a tried request: status, duration, problem, body, headers, and a link to its record.
import { Group, Stack, Text } from '@mantine/core';
import { IconShip } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { StatusText } from '../../inspector/requests/status-text.tsx';
import type { Call } from '../../kit/api.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { formatMs } from '../../kit/time.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { type AnsweredProblem, ProblemNote } from './problem-note.tsx';

export function TryAnswer({ call }: { call: Call }): ReactNode {
  const scope = useAppScope();
  const body = readBody(call);
  return (
    <Stack gap="sm" role="status" aria-label="Response">
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          <StatusText status={call.status} />
          <Text c="dimmed">{formatMs(call.durationMs)}</Text>
          <Group gap={4} c="dimmed" wrap="nowrap">
            <IconShip size={14} aria-hidden />
            <Text inherit fz={13}>
              in the sandbox
            </Text>
          </Group>
        </Group>
        <AnchorLink to="/in/$organisationId/apps/$appId/requests" params={scope} search={{ request: call.requestId }}>
          Show its record
        </AnchorLink>
      </Group>
      {body.problem && <ProblemNote problem={body.problem} />}
      <CodeBlock label={body.text === '' ? 'Body: none' : 'Body of the response'} maxHeight={420}>
        {body.text}
      </CodeBlock>
      <CodeBlock label="Headers of the response" wraps maxHeight={180}>
        {Object.entries(call.headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      </CodeBlock>
    </Stack>
  );
}

/** Types whose bytes are text. The Console receives a body as a string in JSON, which changes the bytes of other types. */
const TEXT = /^text\/|[/+.-](?:json|ndjson|xml|yaml|javascript)\b/i;

function readBody({ body, status, headers }: Call): { text: string; problem?: AnsweredProblem } {
  const { 'content-type': type = '', 'content-length': length = 'unknown' } = headers;
  if (body !== '' && !TEXT.test(type)) return { text: `The response is not text: ${type}, ${length} bytes.` };
  if (!/json/.test(type)) return { text: body };
  try {
    const value: unknown = JSON.parse(body);
    const text = JSON.stringify(value, null, 2);
    const isProblem = status >= 400 && typeof value === 'object' && value !== null && 'code' in value;
    return isProblem ? { text, problem: value as AnsweredProblem } : { text }; // problem+json of Slipway's own API
  } catch {
    return { text: body };
  }
}
