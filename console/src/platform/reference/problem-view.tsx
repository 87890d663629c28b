// Shows one problem: meaning, cause, solution, and the operations that return it.
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { StatusText } from '../../inspector/requests/status-text.tsx';
import { CodeBlock } from '../../kit/code-block.tsx';
import { Panel } from '../../kit/panel.tsx';
import { EntryLink } from './entry-link.tsx';
import { Part, pretty } from './parts.tsx';
import { Prose } from './prose.tsx';
import classes from './reference.module.css';
import type { Problem, Reference } from './reference.ts';
import { ProblemPage } from './replies.tsx';
import { entriesOf } from './search.ts';

export function ProblemView({ problem, reference }: { problem: Problem; reference: Reference }): ReactNode {
  const { code, status, title, meaning, cause, fix, servedBy, example } = problem;
  const ids = new Set(
    reference.operations.filter((one) => one.problems.some((other) => other.code === code)).map((one) => one.id),
  );
  const answering = entriesOf(reference).filter((one) => one.kind === 'operations' && ids.has(one.name));
  return (
    <Stack gap="md" maw={760}>
      <Stack gap={4}>
        <Title order={2} fz={20}>
          {title}
        </Title>
        <Text>
          <StatusText status={Number(status)} /> <span className={classes.address}>{code}</span>
        </Text>
      </Stack>
      <Prose>{meaning}</Prose>
      <Prose isDimmed>{servedBy}</Prose>
      <Part title="Cause">
        <Prose>{cause}</Prose>
      </Part>
      <Part title="Solution">
        <Prose>{fix}</Prose>
        <div>
          <ProblemPage problem={problem} />
        </div>
      </Part>
      <CodeBlock label="Response">{pretty(example)}</CodeBlock>
      {answering.length > 0 && (
        <Part title={`Returned by ${answering.length === 1 ? '1 operation' : `${answering.length} operations`}`}>
          <Panel p={6}>
            <ul className={classes.group}>
              {answering.map((entry) => (
                <li key={entry.name}>
                  <EntryLink entry={entry} />
                </li>
              ))}
            </ul>
          </Panel>
        </Part>
      )}
    </Stack>
  );
}
