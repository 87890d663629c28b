// The frame of charts over one time: the charts beside each other, and the same as a table for who would rather read it.
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './chart.module.css';
import type { LineStyle } from './chart-lines.tsx';
import type { Kind, TimePart } from './chart-parts.ts';
import { type Column, DataTable } from './data-table.tsx';
import { Panel } from './panel.tsx';
import { timeWithin } from './time.ts';

export interface ChartTable {
  /** What the cells of a row are, its time aside. */
  columns: readonly string[];
  rows: readonly (TimePart & { cells: readonly string[] })[];
}

interface ChartPanelProps {
  /** What the charts are of. */
  label: string;
  table: ChartTable;
  /** The time that they are of. */
  span: { since: string; until: string };
  /** What they leave out, if anything. */
  note?: string | undefined;
  action?: ReactNode;
  children: ReactNode;
}

const spanMs = ({ since, until }: ChartPanelProps['span']): number => Date.parse(until) - Date.parse(since);

/** "14:30 to 15:00": as much of a part's time as tells it apart. */
export function partWords({ at, until }: TimePart, span: ChartPanelProps['span']): string {
  // Only the ends of a day have the same hour.
  const within = (moment: string): string => timeWithin(moment, spanMs(span) - 1);
  return `${within(at)} to ${within(until)}`;
}

export function ChartPanel({ label, table, span, note, action, children }: ChartPanelProps): ReactNode {
  const [isTable, { toggle }] = useDisclosure(false);
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <Panel p="sm" pb={8} role="region" aria-label={label}>
      <Stack gap={6}>
        {isTable ? (
          <TableOf label={label} table={table} span={span} />
        ) : (
          <div className={classes.beside}>{children}</div>
        )}
        <Group justify="space-between" gap="xs">
          <Text fz="xs" c="dimmed">
            {note}
          </Text>
          <Group gap="xs">
            {action}
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              leftSection={<Icon size={14} aria-hidden />}
              onClick={toggle}
            >
              {isTable ? 'As a chart' : 'As a table'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Panel>
  );
}

/** Two charts on their way. */
export function ChartsSkeleton({ label }: { label: string }): ReactNode {
  return (
    <Panel p="sm" pb={36} role="status" aria-label={label}>
      <div className={classes.beside}>
        <Skeleton h={{ base: 174, sm: 121 }} />
        <Skeleton h={{ base: 174, sm: 121 }} />
      </div>
    </Panel>
  );
}

function TableOf({ label, table, span }: Pick<ChartPanelProps, 'label' | 'table' | 'span'>): ReactNode {
  if (table.rows.length === 0) return <Text c="dimmed">There is nothing in this time.</Text>;
  const columns: Column<ChartTable['rows'][number]>[] = [
    { head: 'Time', isRowHeader: true, cell: (part) => partWords(part, span) },
    ...table.columns.map((head, index) => ({
      head,
      align: 'right' as const,
      cell: ({ cells }: ChartTable['rows'][number]) => cells[index],
    })),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
    <section className={classes.table} tabIndex={0} aria-label={`${label}, as a table`}>
      <DataTable
        label={label}
        stickyHeader
        fz="xs"
        verticalSpacing={4}
        columns={columns}
        rows={table.rows}
        rowKey={({ at }) => at}
      />
    </section>
  );
}

interface ChartProps {
  /** What is said of the whole, or of what is looked at. */
  words: string;
  span: ChartPanelProps['span'];
  legend: readonly { mark: Kind | LineStyle; name: string }[];
  /** What the top of the chart means. */
  top?: string;
  children: ReactNode;
}

/** One of them, with its words above and its times below. */
export function Chart({ words, span, legend, top, children }: ChartProps): ReactNode {
  const whole = spanMs(span);
  return (
    <Stack gap={6} miw={0}>
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
        <Group gap="sm" justify="center" className={classes.legend ?? ''}>
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
