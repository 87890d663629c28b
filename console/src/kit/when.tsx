// A point in time: relative, with the exact one on hover.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { hint } from './hints.tsx';
import { exactTime, relativeTime, useNowMs } from './time.ts';

export function When({ at, prefix }: { at: string; prefix?: string }): ReactNode {
  const nowMs = useNowMs();
  return (
    <Text component="time" dateTime={at} inherit style={{ whiteSpace: 'nowrap' }} {...hint(exactTime(at))}>
      {prefix}
      {relativeTime(at, nowMs)}
    </Text>
  );
}
