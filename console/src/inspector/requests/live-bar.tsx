// Shows whether the list is live or paused, and the number of new requests.
import { Button, Group } from '@mantine/core';
import { IconArrowUp, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LiveSign } from '../../kit/live-status.tsx';
import { grouped } from '../../kit/number.ts';
import classes from './requests.module.css';
import type { TailState } from './tail-state.ts';

interface LiveBarProps {
  tail: TailState;
  /** New requests that are not in the list. */
  newCount: number;
  /** Paused by the button, or because the user reads further down. */
  isHeld: boolean;
  isPaused: boolean;
  onHold: (isHeld: boolean) => void;
  onShow: () => void;
}

export function LiveBar({ tail, newCount, isHeld, isPaused, onHold, onShow }: LiveBarProps): ReactNode {
  const paused = isHeld ? 'Paused' : isPaused ? 'Paused while you read' : undefined;
  return (
    <Group gap="sm" mih={30}>
      <Button
        variant="default"
        size="xs"
        aria-pressed={isHeld}
        leftSection={isHeld ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
        onClick={() => onHold(!isHeld)}
      >
        {isHeld ? 'Resume' : 'Pause'}
      </Button>
      <LiveSign connection={{ state: tail.connection, error: tail.error }} paused={paused} />
      {isPaused && newCount > 0 && (
        <Button size="compact-sm" variant="light" onClick={onShow}>
          {describeNewCount(newCount)}
        </Button>
      )}
    </Group>
  );
}

const describeNewCount = (count: number): string => `${grouped(count)} new`;

/** Renders the number of new requests after the user has scrolled away from the top of the list. */
export function NewRequestsButton({ count, onShow }: { count: number; onShow: () => void }): ReactNode {
  return (
    <div className={classes.pill} role="status">
      <Button size="xs" radius="xl" leftSection={<IconArrowUp size={14} aria-hidden />} onClick={onShow}>
        {describeNewCount(count)}
      </Button>
    </div>
  );
}
