// Shows a relative time, with the exact time as tooltip.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TIME_HINT } from './hints.tsx';
import { relativeTime, useNowMs } from './time.ts';

/**
 * Width of a column in a table of fixed layout: the longest text, "59 minutes ago", fits with the padding of its cell.
 */
export const RELATIVE_TIME_WIDTH = 136;

export function RelativeTime({ at, prefix }: { at: string; prefix?: string }): ReactNode {
  const nowMs = useNowMs();
  return (
    <Text component="time" dateTime={at} inherit style={{ whiteSpace: 'nowrap' }} {...TIME_HINT}>
      {prefix}
      {relativeTime(at, nowMs)}
    </Text>
  );
}
