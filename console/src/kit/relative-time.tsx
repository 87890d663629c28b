// Shows a relative time, with the exact time as tooltip.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TIME_HINT } from './hints.tsx';
import { relativeTime, useNowMs } from './time.ts';

/**
 * Width of a column in a table of fixed layout: the longest text, "59 minutes ago", fits with the padding of its cell.
 */
export const RELATIVE_TIME_WIDTH = 136;

/** A line may break after the prefix, but not inside the time: together they can be wider than a column on a phone. */
export function RelativeTime({ at, prefix }: { at: string; prefix?: string }): ReactNode {
  const nowMs = useNowMs();
  const time = (
    <Text component="time" dateTime={at} inherit style={{ whiteSpace: 'nowrap' }} {...TIME_HINT}>
      {relativeTime(at, nowMs)}
    </Text>
  );
  if (prefix === undefined) return time;
  return (
    <span>
      {prefix}
      {time}
    </span>
  );
}
