// A point in time: relative, with the exact one on hover.
import { Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactTime, relativeTime, useNowMs } from './time.ts';

export function When({ at, prefix }: { at: string; prefix?: string }): ReactNode {
  const nowMs = useNowMs();
  return (
    <Tooltip label={exactTime(at)}>
      <Text component="time" dateTime={at} inherit style={{ whiteSpace: 'nowrap' }}>
        {prefix}
        {relativeTime(at, nowMs)}
      </Text>
    </Tooltip>
  );
}
