// The table of the Console. Its columns are data. A column that a narrow screen hides can fold its value into the main
// column.
//
//   <DataTable
//     label="Apps"
//     rows={apps}
//     rowKey={({ id }) => id}
//     columns={[
//       { head: 'Name', cell: ({ name }) => name, wraps: true },
//       { head: 'Registered', cell: ({ createdAt }) => <When at={createdAt} />, from: 'sm', fold: true },
//     ]}
//   />
import { Box, Table, type TableProps, type TableThProps } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import classes from './data-table.module.css';
import { type ItemProps, useWindowed } from './use-windowed.ts';

/** Height of a row in a dense table, as data-table.module.css sets it. */
const DENSE_ROW_PX = 38;
const HEAD_ROWS = 1;

export interface Column<T> {
  /** Title of the column, unique in its table. */
  head: string;
  cell: (row: T) => ReactNode;
  w?: NonNullable<TableThProps['w']>;
  align?: 'right';
  /** The narrowest screen that shows the column. */
  from?: 'sm' | 'md' | 'lg';
  /** Text in the main column on narrower screens; `true` repeats the cell. */
  fold?: true | ((row: T) => ReactNode);
  /** Receives the folded values. Without a mark, the first column without `from` does. */
  isMain?: boolean;
  /** Makes each cell the header of its row. */
  isRowHeader?: boolean;
  /** Allows a break inside a long word. */
  wraps?: boolean;
  isMono?: boolean;
  className?: string | undefined;
}

interface DataTableProps<T>
  extends Pick<TableProps, 'layout' | 'verticalSpacing' | 'horizontalSpacing' | 'stickyHeader' | 'fz'> {
  label: string;
  /** In a long list the columns are constant or memoised: each row renders again when they change. */
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** Rows of one line in a fixed layout. A list of more than 300 rows is drawn only near the screen. */
  isDense?: boolean;
  /** Approximate height of a row. With it a list of more than 300 rows is drawn only near the screen. */
  rowPx?: number;
  /** Aligns the cells of a row at the top. */
  isTop?: boolean;
  /** Omits the row of titles. */
  isHeadless?: boolean;
  /**
   * Opens a row on a click. For the keyboard the row needs a link or button, which stops the propagation of its click.
   */
  onOpen?: (row: T) => void;
  isOpen?: (row: T) => boolean;
  className?: string | undefined;
}

export function DataTable<T>({
  label,
  columns,
  rows,
  rowKey,
  isDense = false,
  rowPx = isDense ? DENSE_ROW_PX : undefined,
  isTop,
  isHeadless,
  onOpen,
  isOpen,
  className,
  ...table
}: DataTableProps<T>): ReactNode {
  const draw = (row: T, item?: DrawnProps): ReactNode => (
    <DataRow
      key={rowKey(row)}
      {...item}
      row={row}
      columns={columns}
      isTop={isTop}
      isHeadless={isHeadless}
      onOpen={onOpen}
      isOpen={isOpen?.(row)}
    />
  );
  return (
    <Table
      aria-label={label}
      {...(isDense && { layout: 'fixed' })}
      {...(rowPx !== undefined && { 'aria-rowcount': rows.length + HEAD_ROWS })}
      {...table}
      className={classNames(isDense && classes.dense, className)}
    >
      {!isHeadless && <Head columns={columns} />}
      {rowPx === undefined ? (
        <Table.Tbody>{rows.map((row) => draw(row))}</Table.Tbody>
      ) : (
        <WindowedBody rows={rows} rowPx={rowPx} draw={draw} />
      )}
    </Table>
  );
}

function Head<T>({ columns }: { columns: readonly Column<T>[] }): ReactNode {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map((column) => (
          <Table.Th key={column.head} scope="col" {...placeOf(column, true)}>
            {column.head}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

/** Properties of a row that is drawn only near the screen. */
interface DrawnProps extends ItemProps {
  'aria-rowindex'?: number;
}

interface DataRowProps<T> extends DrawnProps {
  row: T;
  columns: readonly Column<T>[];
  isTop: boolean | undefined;
  isHeadless: boolean | undefined;
  onOpen: ((row: T) => void) | undefined;
  isOpen: boolean | undefined;
}

function PlainRow<T>({ row, columns, isTop, isHeadless, onOpen, isOpen, ...item }: DataRowProps<T>): ReactNode {
  const main = columns.find(({ isMain }) => isMain) ?? columns.find(({ from }) => from === undefined);
  return (
    <Table.Tr
      {...item}
      className={classNames(isTop && classes.top, onOpen && classes.openable)}
      {...(onOpen && { onClick: () => onOpen(row) })}
      data-open={isOpen || undefined}
    >
      {columns.map((column) => {
        const place = placeOf(column, isHeadless, column.isMono);
        const content = (
          <>
            {column.cell(row)}
            {column === main && folded(columns, row)}
          </>
        );
        return column.isRowHeader ? (
          <Table.Th key={column.head} scope="row" fw={400} {...place}>
            {content}
          </Table.Th>
        ) : (
          <Table.Td key={column.head} {...place}>
            {content}
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
}

// The cast keeps the type parameter, which memo() erases.
const DataRow = memo(PlainRow) as typeof PlainRow;

// A function in place of a component: a page draws fifty rows together.
function folded<T>(columns: readonly Column<T>[], row: T): ReactNode {
  return columns.map(
    ({ head, cell, from, fold }) =>
      from &&
      fold && (
        <Box key={head} hiddenFrom={from} className={classNames(classes.fold)}>
          {fold === true ? cell(row) : fold(row)}
        </Box>
      ),
  );
}

interface WindowedBodyProps<T> {
  rows: readonly T[];
  rowPx: number;
  draw: (row: T, item: DrawnProps) => ReactNode;
}

function WindowedBody<T>({ rows, rowPx, draw }: WindowedBodyProps<T>): ReactNode {
  const { hold, drawn, gaps } = useWindowed(rows, rowPx);
  return (
    <Table.Tbody ref={hold}>
      {gaps && <Gap height={gaps.before} />}
      {drawn.map(({ item, index, props }) =>
        draw(item, gaps ? { ...props, 'aria-rowindex': index + HEAD_ROWS + 1 } : props),
      )}
      {gaps && <Gap height={gaps.after} />}
    </Table.Tbody>
  );
}

function Gap({ height }: { height: number }): ReactNode {
  return (
    <tr aria-hidden>
      {/* One cell: a cell per column would make columns of the hidden ones. */}
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

const classNames = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ');

/** Properties of a cell. The first row of the table sets the widths. */
function placeOf<T>(
  { w, from, align, wraps, className }: Column<T>,
  isFirstRow = false,
  isMono = false,
): Pick<TableThProps, 'w' | 'visibleFrom' | 'className'> {
  return {
    ...(isFirstRow && w !== undefined && { w }),
    ...(from && { visibleFrom: from }),
    className: classNames(align && classes.right, wraps && classes.wraps, isMono && classes.mono, className),
  };
}
