// Shows an HTTP status or a class such as 4XX, in colour and text. A simulated connection reset has no status.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './requests.module.css';

const CLASSES = ['other', 'other', 'good', 'moved', 'refused', 'broken'] as const;

/** Status of a request whose client disconnected. */
const CLIENT_CLOSED_REQUEST = 499;

export const isUnanswered = (status: number | null): boolean => status === null || status === CLIENT_CLOSED_REQUEST;
export const describeUnanswered = (status: number | null): string =>
  status === CLIENT_CLOSED_REQUEST
    ? 'No response: the caller closed the connection before the request was complete.'
    : 'No response: the connection was reset, as requested.';

export function StatusText({ status }: { status: number | string | null }): ReactNode {
  const kind = CLASSES[Number(String(status ?? 500).charAt(0))] ?? 'other';
  return (
    <Text component="span" className={classes.status} data-kind={kind} ff="monospace" fz={13} fw={600}>
      {status ?? 'reset'}
    </Text>
  );
}
