// Frame of charts over the same time range: the charts in a row, and the same data as an accessible table.
import { ActionIcon, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import classes from './chart.module.css';
import type { LineStyle } from './chart-lines.tsx';
import { type ChartKind, type ChartTable, spanMs } from './chart-parts.ts';
import { Panel } from './panel.tsx';
import { timeWithin } from './time.ts';

const ChartTableView = lazy(async () => ({ default: (await import('./chart-table.tsx')).ChartTableView }));

interface ChartPanelProps {
  /** Name of the charts. */
  label: string;
  table: ChartTable;
  /** Time range of the charts. */
  span: { since: string; until: string };
  /** Text about data that the charts omit. */
  note?: string | undefined;
  children: ReactNode;
}

export function ChartPanel({ label, table, span, note, children }: ChartPanelProps): ReactNode {
  const [isTable, { toggle }] = useDisclosure(false);
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <Panel p="xs" role="region" aria-label={label} pos="relative">
      {isTable ? (
        <Suspense fallback={<Skeleton h={89} />}>
          <ChartTableView label={label} table={table} span={span} />
        </Suspense>
      ) : (
        <div className={classes.beside}>{children}</div>
      )}
      {note !== undefined && (
        <Text fz="xs" c="dimmed" mt={4}>
          {note}
        </Text>
      )}
      <ActionIcon
        className={classes.asTable ?? ''}
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={isTable ? 'As a chart' : 'As a table'}
        title={isTable ? 'As a chart' : 'As a table'}
        onClick={toggle}
      >
        <Icon size={15} />
      </ActionIcon>
    </Panel>
  );
}

/** Renders a placeholder of two charts while they load. */
export function ChartsSkeleton({ label }: { label: string }): ReactNode {
  return (
    <Panel p="xs" role="status" aria-label={label}>
      <div className={classes.beside}>
        <Skeleton h={{ base: 108, sm: 89 }} />
        <Skeleton h={{ base: 108, sm: 89 }} />
      </div>
    </Panel>
  );
}

interface ChartProps {
  /** Summary of the whole range, or of the selected interval. */
  words: string;
  span: ChartPanelProps['span'];
  legend: readonly { mark: ChartKind | LineStyle; name: string }[];
  /** Meaning of the chart's top. */
  top?: string;
  children: ReactNode;
}

/** Renders one chart with its summary above and its times below. */
export function Chart({ words, span, legend, top, children }: ChartProps): ReactNode {
  const whole = spanMs(span);
  return (
    <Stack gap={4} miw={0}>
      <Text fz="xs" className={classes.words} mih={{ base: 38, sm: 20 }}>
        {words}
      </Text>
      <div className={classes.frame}>
        {children}
        {top !== undefined && (
          <Text component="span" className={classes.top} aria-hidden>
            {top}
          </Text>
        )}
      </div>
      <Group justify="space-between" gap="4px 10px" fz={11} c="dimmed">
        <span aria-hidden>{timeWithin(span.since, whole)}</span>
        <Group gap="4px 8px" justify="center" className={classes.legend ?? ''}>
          {legend.map(({ mark, name }) => (
            <Group key={mark} gap={5} wrap="nowrap">
              <span className={classes.key} data-kind={mark} />
              {name}
            </Group>
          ))}
        </Group>
        <span aria-hidden>{timeWithin(span.until, whole)}</span>
      </Group>
    </Stack>
  );
}
