// Whether what is shown is as it is now, in the same words wherever something is live.
import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { hint } from './hints.tsx';
import type { Connection } from './live-feed.ts';
import classes from './live-status.module.css';
import { wordsOf } from './mends.ts';
import { useConnection } from './use-live.ts';

const WORDS: Readonly<Record<Exclude<Connection['state'], 'idle'>, string>> = {
  connecting: 'Connecting…',
  open: 'Live',
  interrupted: 'Not connected, trying again',
  ended: 'Not connected',
};

interface LiveSignProps {
  connection: { state: keyof typeof WORDS; error: Error | null };
  /** In place of "Live", where somebody has it wait. */
  paused?: string | undefined;
}

export function LiveSign({ connection: { state, error }, paused }: LiveSignProps): ReactNode {
  const isLive = state === 'open' && paused === undefined;
  return (
    <Group gap={7} wrap="nowrap" role="status" {...hint(error ? wordsOf(error).mend : undefined)}>
      <span className={classes.live} data-paused={isLive ? undefined : true} aria-hidden />
      <Text c="dimmed">{state === 'open' && paused !== undefined ? paused : WORDS[state]}</Text>
    </Group>
  );
}

/** Of what the page follows; nothing where it follows nothing. */
export function LiveStatus(): ReactNode {
  const { state, error, retry } = useConnection();
  if (state === 'idle') return null;
  return (
    <Group gap="xs" wrap="nowrap">
      {state === 'ended' && (
        <Button size="compact-xs" variant="default" onClick={retry}>
          Connect
        </Button>
      )}
      <LiveSign connection={{ state, error }} />
    </Group>
  );
}
