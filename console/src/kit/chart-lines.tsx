// Draws lines over time intervals. Lines differ in dash pattern and colour, and have gaps where no value exists. The
// caption and the table hold the same values as text.
import { Box } from '@mantine/core';
import type { PointerEvent, ReactNode } from 'react';
import classes from './chart.module.css';

/** A stronger line is closer to the median. */
export type LineStyle = 'solid' | 'dashed' | 'dotted';

export interface Line {
  style: LineStyle;
  /** One value per interval; undefined if there is none. */
  values: readonly (number | undefined)[];
}

interface ChartLinesProps {
  /** Text alternative of the chart. */
  label: string;
  lines: readonly Line[];
  /** Value at the top of the chart. */
  most: number;
  highlighted: number | undefined;
  onHighlight: (index: number | undefined) => void;
}

export function ChartLines({ label, lines, most, highlighted, onHighlight }: ChartLinesProps): ReactNode {
  const parts = Math.max(1, ...lines.map(({ values }) => values.length));
  const highlight = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = Math.floor(((clientX - left) / width) * parts);
    onHighlight(Math.min(parts - 1, Math.max(0, at)));
  };
  return (
    <Box className={classes.lines} onPointerMove={highlight} onPointerLeave={() => onHighlight(undefined)}>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${parts} 1`}
        preserveAspectRatio="none"
        className={classes.drawing}
      >
        {highlighted !== undefined && (
          <rect className={classes.highlighted} x={highlighted} y={0} width={1} height={1} />
        )}
        {lines.map(({ style, values }) => (
          <path key={style} className={classes.line} data-style={style} d={pathOf(values, most)} />
        ))}
      </svg>
    </Box>
  );
}

/** Returns a path through the middle of each interval. A single value becomes a short dash. */
function pathOf(values: Line['values'], most: number): string {
  const yOf = (value: number): string => (1 - Math.min(1, value / most)).toFixed(4);
  return values
    .map((value, at) => {
      if (value === undefined) return '';
      const isFirst = values[at - 1] === undefined;
      const isAlone = isFirst && values[at + 1] === undefined;
      if (isAlone) return `M${at + 0.1} ${yOf(value)}h0.8`;
      return `${isFirst ? 'M' : 'L'}${at + 0.5} ${yOf(value)}`;
    })
    .join('');
}
