// The rows of a table's body, drawn as far as they are near the screen. The table says how many there are (`rowCount`), a row which
// one it is.
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { type ItemProps, useWindowed } from './use-windowed.ts';

export interface RowProps extends ItemProps {
  'aria-rowindex'?: number;
}

interface WindowRowsProps<T> {
  items: readonly T[];
  /** About how high a row is. */
  height: number;
  children: (item: T, row: RowProps) => ReactNode;
}

const HEAD = 1;

/** For the table: with its head. */
export const rowCount = (items: readonly unknown[]): { 'aria-rowcount': number } => ({
  'aria-rowcount': items.length + HEAD,
});

export function WindowRows<T>({ items, height, children }: WindowRowsProps<T>): ReactNode {
  const { hold, drawn, gaps } = useWindowed(items, height);
  return (
    <Table.Tbody ref={hold}>
      {gaps && <Gap height={gaps.before} />}
      {drawn.map(({ item, index, props }) =>
        children(item, gaps ? { ...props, 'aria-rowindex': index + HEAD + 1 } : props),
      )}
      {gaps && <Gap height={gaps.after} />}
    </Table.Tbody>
  );
}

function Gap({ height }: { height: number }): ReactNode {
  return (
    <tr aria-hidden>
      {/* One: as many as there are columns would make columns of their own where some are not shown. */}
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
