// The table of a chart panel. It loads when a reader asks for it.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './chart.module.css';
import { type ChartSpan, type ChartTable, formatInterval } from './chart-parts.ts';
import { type Column, DataTable } from './data-table.tsx';

interface ChartTableProps {
  label: string;
  table: ChartTable;
  span: ChartSpan;
}

export function ChartTableView({ label, table, span }: ChartTableProps): ReactNode {
  if (table.rows.length === 0) return <Text c="dimmed">No data in this range.</Text>;
  const columns: Column<ChartTable['rows'][number]>[] = [
    { head: 'Time', isRowHeader: true, cell: (part) => formatInterval(part, span) },
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
