// Shows requests by status as bars, and percentiles of their duration as lines, over time. A click on a bar narrows the
// time range.
import { Text } from '@mantine/core';
import { type ReactNode, useDeferredValue, useState } from 'react';
import type { AppScope, RequestFilters } from '../../kit/api.ts';
import { ChartBars } from '../../kit/chart-bars.tsx';
import { ChartLines } from '../../kit/chart-lines.tsx';
import { Chart, ChartPanel, ChartsSkeleton } from '../../kit/chart-panel.tsx';
import { formatInterval, type TimePart } from '../../kit/chart-parts.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { exactTime, formatMs } from '../../kit/time.ts';
import { describeTimeRange } from './filter-labels.ts';
import type { FilterSearch } from './search.ts';
import {
  cellsOf,
  describeDurations,
  describeTotals,
  type Histogram,
  sumOf,
  totalsOf,
  useHistogram,
} from './use-histogram.ts';

/** A shorter range cannot be selected. */
const SHORTEST_MS = 1_000;

const STATUSES = [
  { mark: 'good', name: 'answered' },
  { mark: 'refused', name: 'refused (4xx)' },
  { mark: 'failed', name: 'failed (5xx)' },
  { mark: 'unanswered', name: 'not answered' },
] as const;
const PERCENTILES = [
  { mark: 'solid', name: 'p50' },
  { mark: 'dashed', name: 'p95' },
  { mark: 'dotted', name: 'p99' },
] as const;
const COLUMNS = ['Requests', '4xx', '5xx', 'Not answered', 'p50', 'p95', 'p99'];

interface RequestHistogramProps {
  scope: AppScope;
  search: FilterSearch;
  filters: RequestFilters;
  isLive: boolean;
  onNarrow: (time: { since: string; until: string }) => void;
}

export function RequestHistogram({ scope, search, filters, isLive, onNarrow }: RequestHistogramProps): ReactNode {
  const { data: latest, error, refetch } = useHistogram(scope, search, filters, isLive);
  const data = useDeferredValue(latest);
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <ChartsSkeleton label="Loading the histogram" />;
  if (!data) return <Text c="dimmed">The range ends before it begins.</Text>;
  return <HistogramChart histogram={data} title={describeTimeRange(search) ?? 'Last 24 hours'} onNarrow={onNarrow} />;
}

interface HistogramChartProps {
  histogram: Histogram;
  title: string;
  onNarrow: (time: { since: string; until: string }) => void;
}

function HistogramChart({ histogram, title, onNarrow }: HistogramChartProps): ReactNode {
  const { parts, searchedUntil, ...span } = histogram;
  const [highlighted, setHighlighted] = useState<number>();
  const summary = `${title}: ${describeTotals(sumOf(parts))}`;
  const countWords = (at: number): string => {
    const part = parts[at];
    return part ? `${formatInterval(part, span)}: ${describeTotals(totalsOf(part))}` : '';
  };
  const narrow = ({ at, until }: TimePart): void => {
    if (Date.parse(until) - Date.parse(at) >= SHORTEST_MS) onNarrow({ since: at, until });
  };
  return (
    <ChartPanel
      label="Requests over time"
      span={span}
      table={{
        columns: COLUMNS,
        rows: parts.filter(({ count }) => count > 0).map((part) => ({ ...part, cells: cellsOf(part) })),
      }}
      note={
        searchedUntil === null
          ? undefined
          : `The search reached its limit: requests before ${exactTime(searchedUntil)} are not counted.`
      }
    >
      <Chart words={highlighted === undefined ? summary : countWords(highlighted)} span={span} legend={STATUSES}>
        <ChartBars
          label={summary}
          bars={parts.map((part) => ({ ...part, counts: countsOf(part) }))}
          wordsOf={countWords}
          highlighted={highlighted}
          onHighlight={setHighlighted}
          onChoose={narrow}
        />
      </Chart>
      <Durations histogram={histogram} highlighted={highlighted} onHighlight={setHighlighted} />
    </ChartPanel>
  );
}

function countsOf(part: Histogram['parts'][number]) {
  const { count, refused, failed, unanswered } = totalsOf(part);
  return { failed, refused, unanswered, good: count - refused - failed - unanswered };
}

interface DurationsProps {
  histogram: Histogram;
  highlighted: number | undefined;
  onHighlight: (index: number | undefined) => void;
}

function Durations({ histogram, highlighted, onHighlight }: DurationsProps): ReactNode {
  const { parts, searchedUntil: _, ...span } = histogram;
  const durations = parts.map((part) => part.durations ?? undefined);
  const most = Math.max(0, ...durations.map((one) => one?.p99Ms ?? 0));
  // Percentiles of the whole range cannot be computed from those of its buckets.
  const shown = highlighted ?? durations.findLastIndex((one) => one !== undefined);
  const [part, percentiles] = [parts[shown], durations[shown]];
  const words = part
    ? `${formatInterval(part, span)}: ${percentiles ? describeDurations(percentiles) : 'no requests'}`
    : 'No durations';
  return (
    <Chart words={words} span={span} legend={PERCENTILES} {...(most > 0 && { top: formatMs(most) })}>
      <ChartLines
        label={`Duration of requests, up to ${formatMs(most)}. ${words}`}
        lines={[
          { style: 'solid', values: durations.map((one) => one?.p50Ms) },
          { style: 'dashed', values: durations.map((one) => one?.p95Ms) },
          { style: 'dotted', values: durations.map((one) => one?.p99Ms) },
        ]}
        most={most || 1}
        highlighted={highlighted}
        onHighlight={onHighlight}
      />
    </Chart>
  );
}
