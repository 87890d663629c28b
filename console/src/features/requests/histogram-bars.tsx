// The bars: one stop for the keyboard, and arrows between them.
import { Box, UnstyledButton } from '@mantine/core';
import { useRovingIndex } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './histogram.module.css';
import { type Bar, totalsOf } from './use-histogram.ts';

/** What is shorter than that is one moment to who looks. */
const SHORTEST_MS = 1_000;

interface HistogramBarsProps {
  label: string;
  bars: Bar[];
  wordsOf: (bar: Bar) => string;
  onLook: (bar: Bar | undefined) => void;
  onNarrow: (time: { since: string; until: string }) => void;
}

export function HistogramBars({ label, bars, wordsOf, onLook, onNarrow }: HistogramBarsProps): ReactNode {
  const { getItemProps } = useRovingIndex({ total: bars.length, loop: false, initialIndex: bars.length - 1 });
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const narrow = ({ at, until }: Bar): void => {
    if (Date.parse(until) - Date.parse(at) >= SHORTEST_MS) onNarrow({ since: at, until });
  };
  return (
    <Box className={classes.bars ?? ''} role="group" aria-label={label} onPointerLeave={() => onLook(undefined)}>
      {bars.map((bar, index) => (
        <UnstyledButton
          key={bar.at}
          className={classes.bar ?? ''}
          aria-label={wordsOf(bar)}
          onPointerEnter={() => onLook(bar)}
          onFocus={() => onLook(bar)}
          onBlur={() => onLook(undefined)}
          {...getItemProps({ index, onClick: () => narrow(bar) })}
        >
          <Parts bar={bar} most={most} />
        </UnstyledButton>
      ))}
    </Box>
  );
}

function Parts({ bar, most }: { bar: Bar; most: number }): ReactNode {
  const { count, refused, failed } = totalsOf(bar);
  const parts = { failed, refused, good: count - refused - failed };
  return Object.entries(parts)
    .filter(([, part]) => part > 0)
    .map(([kind, part]) => (
      // However few, they are seen.
      <Box key={kind} className={classes.part} data-kind={kind} h={`${(part / most) * 100}%`} mih={2} />
    ));
}
