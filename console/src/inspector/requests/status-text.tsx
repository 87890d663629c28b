// An HTTP status in colour and number, or a class of them (4XX). A call whose connection was reset on demand has none.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './requests.module.css';

const CLASSES = ['other', 'other', 'good', 'moved', 'refused', 'broken'] as const;

/** Of a caller who went away in the middle of a request. */
const CALLER_GONE = 499;

export const isUnanswered = (status: number | null): boolean => status === null || status === CALLER_GONE;
export const unansweredWords = (status: number | null): string =>
  status === CALLER_GONE
    ? 'Nobody was answered: the caller closed the connection before the request was whole.'
    : 'Nobody was answered: the connection was reset, as was asked for.';

export function StatusText({ status }: { status: number | string | null }): ReactNode {
  const kind = CLASSES[Number(String(status ?? 500).charAt(0))] ?? 'other';
  return (
    <Text component="span" className={classes.status} data-kind={kind} ff="monospace" fz={13} fw={600}>
      {status ?? 'reset'}
    </Text>
  );
}
