// A point in time: relative, with the exact one on hover.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TIME_HINT } from './hints.tsx';
import { relativeTime, useNowMs } from './time.ts';

export function When({ at, prefix }: { at: string; prefix?: string }): ReactNode {
  const nowMs = useNowMs();
  return (
    <Text component="time" dateTime={at} inherit style={{ whiteSpace: 'nowrap' }} {...TIME_HINT}>
      {prefix}
      {relativeTime(at, nowMs)}
    </Text>
  );
}
