// Shows a received problem: the fault, its place in the request, and a link to the explanation.
import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Inline } from '../../kit/inline.tsx';
import notes from '../../kit/notes.module.css';
import { ItemLink } from './entry-link.tsx';

export interface AnsweredProblem {
  title: string;
  code: string;
  detail?: string;
  errors?: { pointer: string; detail: string }[];
}

interface ProblemNoteProps {
  problem: AnsweredProblem;
  /** Further facts about the problem, with the next step. */
  children?: ReactNode;
}

export function ProblemNote({ problem: { title, code, detail, errors = [] }, children }: ProblemNoteProps): ReactNode {
  return (
    <Alert className={notes.bad ?? ''} icon={<IconAlertTriangle aria-hidden />} title={title} py="xs">
      <Stack gap={4}>
        {detail && (
          <Text>
            <Inline>{detail}</Inline>
          </Text>
        )}
        {errors.map((one) => (
          <Text key={one.pointer + one.detail} style={{ overflowWrap: 'anywhere' }}>
            <strong>{one.pointer || 'The body'}</strong> <Inline>{one.detail}</Inline>
          </Text>
        ))}
        {children}
        <Text>
          What <ItemLink kind="problems" name={code}>{`${code} means`}</ItemLink>
        </Text>
      </Stack>
    </Alert>
  );
}
