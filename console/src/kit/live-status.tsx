// Shows whether the page is up to date, in the same words on every live page.
import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { hint } from './hints.tsx';
import { withoutCodeMarks } from './inline.tsx';
import type { Connection } from './live-feed.ts';
import classes from './live-status.module.css';
import { describeProblem } from './problem-text.ts';
import { useConnection } from './use-live-refresh.ts';

const CONNECTION_LABELS: Readonly<Record<Exclude<Connection['state'], 'idle'>, string>> = {
  connecting: 'Connecting…',
  open: 'Up to date',
  interrupted: 'Disconnected, retrying',
  ended: 'Disconnected',
};

interface LiveSignProps {
  connection: { state: keyof typeof CONNECTION_LABELS; error: Error | null };
  /** Text in place of "Up to date" while the user has paused the updates. */
  paused?: string | undefined;
}

export function LiveSign({ connection: { state, error }, paused }: LiveSignProps): ReactNode {
  const isLive = state === 'open' && paused === undefined;
  return (
    <Group
      gap={7}
      wrap="nowrap"
      role="status"
      {...hint(error ? withoutCodeMarks(describeProblem(error).fix) : undefined)}
    >
      <span className={classes.live} data-paused={isLive ? undefined : true} aria-hidden />
      <Text c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {state === 'open' && paused !== undefined ? paused : CONNECTION_LABELS[state]}
      </Text>
    </Group>
  );
}

interface PolledRead {
  isPending: boolean;
  error: Error | null;
}

/** Status of lists that the page reads again at an interval. */
export function PollStatus({ reads }: { reads: readonly PolledRead[] }): ReactNode {
  const failed = reads.find(({ error }) => error !== null);
  if (failed) return <LiveSign connection={{ state: 'interrupted', error: failed.error }} />;
  return (
    <LiveSign connection={{ state: reads.some(({ isPending }) => isPending) ? 'connecting' : 'open', error: null }} />
  );
}

/** Status of the reads that the page follows. Renders nothing if it follows none. */
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
