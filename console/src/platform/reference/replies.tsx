// Shows the responses of an operation: each status with its body, and each problem with its meaning and page.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { StatusText } from '../../inspector/requests/status-text.tsx';
import { Inline, InlineCode } from '../../kit/inline.tsx';
import { Panel } from '../../kit/panel.tsx';
import type { Document, ReplyDescription } from './document.ts';
import { ItemLink } from './entry-link.tsx';
import { BodyPart, ExampleBlock } from './parts.tsx';
import classes from './reference.module.css';
import type { Problem } from './reference.ts';

export function Replies({ document, replies }: { document: Document; replies: ReplyDescription[] }): ReactNode {
  return replies.map(({ status, description, headers, body }) => (
    <Stack key={status} gap={8}>
      <Group gap="sm" align="baseline" wrap="nowrap">
        <StatusText status={status} />
        <Text>
          <Inline>{description}</Inline>
        </Text>
      </Group>
      {body && <BodyPart document={document} body={body} />}
      {body?.examples.map((example) => (
        <ExampleBlock key={example.name} example={example} label="Response" />
      ))}
      {headers.length > 0 && <Headers headers={headers} />}
    </Stack>
  ));
}

function Headers({ headers }: { headers: ReplyDescription['headers'] }): ReactNode {
  return (
    <details className={classes.fold}>
      <summary>Headers of this response ({headers.length})</summary>
      <Stack gap={4} component="ul" m={0} px={8} py={4} style={{ listStyle: 'none' }}>
        {headers.map(([name, { description }]) => (
          <li key={name}>
            <Text component="span" fz={13}>
              <InlineCode>{name}</InlineCode> <Inline>{description ?? ''}</Inline>
            </Text>
          </li>
        ))}
      </Stack>
    </details>
  );
}

export function ProblemPage({ problem }: { problem: Problem }): ReactNode {
  if (!problem.page) return null;
  return (
    <Anchor href={problem.page} target="_blank" rel="noreferrer" fz={13} style={{ whiteSpace: 'nowrap' }}>
      Its page <IconExternalLink size={12} aria-hidden style={{ verticalAlign: '-1px' }} />
    </Anchor>
  );
}

export function Problems({ problems }: { problems: Problem[] }): ReactNode {
  return (
    <Panel px="sm" py={4}>
      {problems.map((problem) => (
        <div key={problem.code} className={classes.problem}>
          <Text component="span" ff="monospace" fz={13} fw={600} c="dimmed">
            {problem.status}
          </Text>
          <div>
            <Group gap="2px 10px" align="baseline">
              <Text component="span" ff="monospace" fz={13} fw={600} style={{ overflowWrap: 'anywhere' }}>
                <ItemLink kind="problems" name={problem.code}>
                  {problem.code}
                </ItemLink>
              </Text>
              <ProblemPage problem={problem} />
            </Group>
            <Text fz={13}>
              <Inline>{problem.meaning}</Inline>
            </Text>
          </div>
        </div>
      ))}
    </Panel>
  );
}
