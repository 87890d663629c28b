// When the requests were: a bar for each part of the time, in the colours of their status. A bar narrows the time to its own.
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AppScope, RequestFilters } from '../../kit/api.ts';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { exactTime, timeWithin } from '../../kit/time.ts';
import { timeWords } from './filter-words.ts';
import classes from './histogram.module.css';
import { HistogramBars } from './histogram-bars.tsx';
import type { FilterSearch } from './search.ts';
import { type Bar, type Histogram, sumOf, totalsInWords, totalsOf, useHistogram } from './use-histogram.ts';

interface RequestHistogramProps {
  scope: AppScope;
  search: FilterSearch;
  filters: RequestFilters;
  isLive: boolean;
  onNarrow: (time: { since: string; until: string }) => void;
}

export function RequestHistogram({ scope, search, filters, isLive, onNarrow }: RequestHistogramProps): ReactNode {
  const { data, error, isPending, refetch } = useHistogram(scope, search, filters, isLive);
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton height={132} radius="sm" aria-label="Loading the histogram" />;
  if (!data) return <Text c="dimmed">The time ends before it begins.</Text>;
  return <Drawn histogram={data} title={timeWords(search) ?? 'Last 24 hours'} onNarrow={onNarrow} />;
}

interface DrawnProps {
  histogram: Histogram;
  title: string;
  onNarrow: (time: { since: string; until: string }) => void;
}

function Drawn({ histogram, title, onNarrow }: DrawnProps): ReactNode {
  const { bars, since, until, searchedUntil } = histogram;
  const [looked, setLooked] = useState<Bar>();
  const spanMs = Date.parse(until) - Date.parse(since);
  // Only the ends of a day have the same hour.
  const within = (at: string): string => timeWithin(at, spanMs - 1);
  const wordsOf = (bar: Bar): string => `${within(bar.at)} to ${within(bar.until)}: ${totalsInWords(totalsOf(bar))}`;
  const summary = `${title}: ${totalsInWords(sumOf(bars))}`;
  return (
    <Panel p="sm" pb={8}>
      <Stack gap={6}>
        <Group justify="space-between" gap="xs" mih={20}>
          <Text fz="xs" className={classes.words}>
            {looked ? wordsOf(looked) : summary}
          </Text>
          <Legend />
        </Group>
        <HistogramBars label={summary} bars={bars} wordsOf={wordsOf} onLook={setLooked} onNarrow={onNarrow} />
        <Group justify="space-between" gap="xs" fz={11} c="dimmed" aria-hidden>
          <span>{timeWithin(since, spanMs)}</span>
          <span>{timeWithin(until, spanMs)}</span>
        </Group>
        {searchedUntil !== null && (
          <Text fz="xs" c="dimmed">
            There are more than can be counted at once: what was before {exactTime(searchedUntil)} is left out.
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

function Legend(): ReactNode {
  return (
    <Group gap="sm" fz={11} c="dimmed" visibleFrom="sm">
      {(['good', 'refused', 'failed'] as const).map((kind) => (
        <Group key={kind} gap={5}>
          <span className={classes.key} data-kind={kind} />
          {{ good: 'answered', refused: 'refused (4xx)', failed: 'failed (5xx)' }[kind]}
        </Group>
      ))}
    </Group>
  );
}
