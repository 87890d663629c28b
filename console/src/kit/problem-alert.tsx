// Shows a problem: title, solution, code and request id, and a retry button.
import { Alert, Anchor, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyId } from './copy.tsx';
import { Inline } from './inline.tsx';
import notes from './notes.module.css';
import { describeProblem, errorsBeside } from './problem-text.ts';

interface ProblemAlertProps {
  error: Error;
  onRetry?: (() => void) | undefined;
  /** Solutions by problem code, where the general text is too vague. */
  fixes?: Record<string, string>;
  /** Pointers of the fields that show their own error. The alert leaves these errors out. */
  fields?: readonly string[];
}

export function ProblemAlert({ error, onRetry, fixes, fields = [] }: ProblemAlertProps): ReactNode {
  const { title, fix, code, requestId, page, errors: all } = describeProblem(error, fixes);
  const errors = errorsBeside(all, fields);
  if (all.length > 0 && errors.length === 0) return null;
  return (
    <Alert className={notes.bad ?? ''} icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      <Stack gap="xs">
        <Text>
          <Inline>{fix}</Inline>
        </Text>
        {errors.length > 0 && (
          <List size="sm">
            {errors.map((one) => (
              <List.Item key={one.pointer + one.detail}>
                <Code>{one.pointer}</Code> <Inline>{one.detail}</Inline>
              </List.Item>
            ))}
          </List>
        )}
        <Group gap="md" c="dimmed">
          {code && <Code>{code}</Code>}
          {requestId && <CopyId value={requestId} label="request id" />}
          {page && (
            <Anchor href={page} target="_blank" rel="noreferrer">
              Explanation and solution
            </Anchor>
          )}
        </Group>
        {onRetry && (
          <Button variant="default" size="xs" onClick={onRetry} w="fit-content">
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
