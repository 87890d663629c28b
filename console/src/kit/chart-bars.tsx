// Draws one bar per time interval. The chart is one tab stop; arrow keys move between bars.
import { Box, UnstyledButton } from '@mantine/core';
import { useRovingIndex } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './chart.module.css';
import { type ChartKind, KINDS, type TimePart } from './chart-parts.ts';

interface Bar extends TimePart {
  counts: Partial<Record<ChartKind, number>>;
}

interface ChartBarsProps {
  label: string;
  bars: readonly Bar[];
  /** Returns the description of a bar. */
  wordsOf: (index: number) => string;
  /** Index of the bar under the pointer or focus, here or in a neighbouring chart. */
  highlighted: number | undefined;
  onHighlight: (index: number | undefined) => void;
  onChoose?: (bar: Bar) => void;
}

const sumOf = ({ counts }: Bar): number => KINDS.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);

export function ChartBars({ label, bars, wordsOf, highlighted, onHighlight, onChoose }: ChartBarsProps): ReactNode {
  const { getItemProps } = useRovingIndex({ total: bars.length, loop: false, initialIndex: bars.length - 1 });
  const most = Math.max(1, ...bars.map(sumOf));
  return (
    <Box className={classes.bars ?? ''} role="group" aria-label={label} onPointerLeave={() => onHighlight(undefined)}>
      {bars.map((bar, index) => (
        <UnstyledButton
          key={bar.at}
          className={classes.bar ?? ''}
          data-highlighted={index === highlighted || undefined}
          aria-label={wordsOf(index)}
          onPointerEnter={() => onHighlight(index)}
          onFocus={() => onHighlight(index)}
          onBlur={() => onHighlight(undefined)}
          {...getItemProps({ index, onClick: () => onChoose?.(bar) })}
        >
          {KINDS.map((kind) => {
            const count = bar.counts[kind] ?? 0;
            // A minimum height keeps small counts visible.
            return (
              count > 0 && (
                <Box key={kind} className={classes.part} data-kind={kind} h={`${(count / most) * 100}%`} mih={2} />
              )
            );
          })}
        </UnstyledButton>
      ))}
    </Box>
  );
}
