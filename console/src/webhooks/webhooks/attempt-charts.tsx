// Charts of an endpoint's attempts over time, by outcome, with the success rate.
import { SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ChartBars } from '../../kit/chart-bars.tsx';
import { ChartLines } from '../../kit/chart-lines.tsx';
import { Chart, ChartPanel } from '../../kit/chart-panel.tsx';
import { formatInterval } from '../../kit/chart-parts.ts';
import { grouped } from '../../kit/number.ts';
import { SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { exactTime } from '../../kit/time.ts';
import { ENDPOINT_ROUTE, type EndpointContext } from './endpoint-frame.tsx';
import { toEndpointSearch } from './search.ts';
import { describeAttempts, percentOf, sumOfAttempts, useAttemptHistogram } from './use-attempt-histogram.ts';

const route = getRouteApi(ENDPOINT_ROUTE);
const OUTCOMES = [
  { mark: 'good', name: 'succeeded' },
  { mark: 'failed', name: 'failed' },
] as const;
const RATE = [{ mark: 'solid', name: 'success rate' }] as const;
const COLUMNS = ['Succeeded', 'Failed', 'Success rate'];
const SPAN_LABELS = { '24h': 'Last 24 hours', '7d': 'Last 7 days' } as const;

export function AttemptCharts({ scope, endpoint }: EndpointContext): ReactNode {
  const search = route.useSearch();
  const { charts: last } = search;
  const navigate = route.useNavigate();
  const { data, error, refetch } = useAttemptHistogram(scope, endpoint.id, last);
  return (
    <Stack gap="xs">
      <SectionHead
        title="Attempts over time"
        order={3}
        action={
          <SegmentedControl
            aria-label="Time"
            size="xs"
            data={Object.entries(SPAN_LABELS).map(([value, label]) => ({ value, label }))}
            value={last ?? '24h'}
            onChange={(value) =>
              void navigate({
                search: toEndpointSearch({ ...search, charts: value }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        }
      />
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton height={109} radius="sm" role="status" aria-label="Loading the charts" />}
      {data && <Charts histogram={data} title={SPAN_LABELS[last ?? '24h']} />}
    </Stack>
  );
}

interface ChartsProps {
  histogram: NonNullable<ReturnType<typeof useAttemptHistogram>['data']>;
  title: string;
}

function Charts({ histogram, title }: ChartsProps): ReactNode {
  const { parts, searchedUntil, ...span } = histogram;
  const [highlighted, setHighlighted] = useState<number>();
  const summary = `${title}: ${describeAttempts(sumOfAttempts(parts))}`;
  const wordsOf = (at: number): string => {
    const part = parts[at];
    return part ? `${formatInterval(part, span)}: ${describeAttempts(part)}` : '';
  };
  const words = highlighted === undefined ? summary : wordsOf(highlighted);
  const cells = parts
    .filter((part) => percentOf(part) !== undefined)
    .map((part) => ({
      ...part,
      cells: [grouped(part.succeeded), grouped(part.failed), `${percentOf(part)} %`],
    }));
  return (
    <ChartPanel
      label="Attempts over time"
      span={span}
      table={{ columns: COLUMNS, rows: cells }}
      note={
        searchedUntil === null
          ? undefined
          : `The search reached its limit: deliveries before ${exactTime(searchedUntil)} are not counted.`
      }
    >
      <Chart words={words} span={span} legend={OUTCOMES}>
        <ChartBars
          label={summary}
          bars={parts.map((part) => ({ ...part, counts: { failed: part.failed, good: part.succeeded } }))}
          wordsOf={wordsOf}
          highlighted={highlighted}
          onHighlight={setHighlighted}
        />
      </Chart>
      <Chart words="Success rate of attempts" span={span} legend={RATE} top="100 %">
        <ChartLines
          label={`Success rate of attempts. ${summary}`}
          lines={[{ style: 'solid', values: parts.map(percentOf) }]}
          most={100}
          highlighted={highlighted}
          onHighlight={setHighlighted}
        />
      </Chart>
    </ChartPanel>
  );
}
