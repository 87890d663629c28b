// Formats rows as a table that fits the width of the terminal.
import { type Columns, cellOf, colourStatus, fieldOf, heading, type OutputFormat } from './cells.ts';
import { escapeText, pad, shorten, widthOf } from './text.ts';

const IDENTIFIER = /^[a-z]{2,4}_[0-9a-z]{26}$/;
const SHOWN_MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/;
const GAP = 2;
const LEAST = 6;
const DATE = '2026-11-02…'.length;
const MINUTE = '2026-11-02 10:15…'.length;

interface Column {
  name: string;
  head: string;
  cells: readonly string[];
  width: number;
  /** Smallest useful width. An identifier is never cut off, because other commands take it as an argument. */
  least: number;
  isIdentifier: boolean;
}

/** Objects that only group fields, and that a heading omits. The name of any other object stays, as in `SUBJECT ID`. */
const GROUP = /^(counts|effect|health|summary)\./;

/** Returns the heading of a column: `health.successRate` as `SUCCESS RATE`. */
export const headOf = (name: string): string =>
  name
    .replace(GROUP, '')
    .replaceAll('.', ' ')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toUpperCase();

function columnOf(name: string, cells: readonly string[]): Column {
  const head = headOf(name);
  const width = Math.max(widthOf(head), ...cells.map(widthOf));
  const isIdentifier = cells.some((cell) => IDENTIFIER.test(cell));
  // For the time of an event the time of day matters. For a creation or an end the date is enough.
  const leastMoment = name === 'at' ? MINUTE : DATE;
  const least = cells.some((cell) => SHOWN_MOMENT.test(cell)) ? leastMoment : LEAST;
  return { name, head, cells, width, isIdentifier, least: isIdentifier ? width : Math.min(width, least) };
}

const widthIn = (columns: readonly Column[], of: 'width' | 'least'): number =>
  columns.reduce((total, column) => total + column[of], GAP * (columns.length - 1));

/** Returns the columns that fit, reduced to the available width. */
function fitColumns(columns: readonly Column[], width: number): Column[] {
  const shown = [...columns];
  while (widthIn(shown, 'least') > width) {
    const at = shown.findLastIndex(({ isIdentifier }) => !isIdentifier);
    if (at === -1) break;
    shown.splice(at, 1);
  }
  for (let over = widthIn(shown, 'width') - width; over > 0; over -= 1) {
    const [widest] = shown.filter((one) => one.width > one.least).sort((a, b) => b.width - a.width);
    if (!widest) break;
    widest.width -= 1;
  }
  return shown;
}

/** Receives the names of the columns that are omitted because they do not fit. */
export type OnOmittedColumns = (names: readonly string[]) => void;

const columnsIn = (rows: readonly unknown[], columns: Columns): Column[] =>
  columns.map((name) =>
    columnOf(
      escapeText(name),
      rows.map((row) => cellOf(fieldOf(row, name))),
    ),
  );

/** Returns the columns with sentences that a table of this width would cut off or omit, the longest first. */
export function findCutColumns(rows: readonly unknown[], columns: Columns, width: number): Columns {
  const all = columnsIn(rows, columns);
  const whole = all.map((column) => column.width);
  const shown = fitColumns(all, width);
  return columns
    .map((name, at) => ({ name, column: all[at], whole: whole[at] ?? 0 }))
    .filter(
      ({ column, whole }) => column && hasSentences(column) && !(shown.includes(column) && column.width === whole),
    )
    .toSorted((one, other) => other.whole - one.whole)
    .map(({ name }) => name);
}

/** Returns whether a table of this width shows every column, and cuts nothing but the time of day of a timestamp. */
export function fitsWhole(rows: readonly unknown[], columns: Columns, width: number): boolean {
  const all = columnsIn(rows, columns);
  const whole = all.map((column) => column.width);
  const shown = fitColumns(all, width);
  return (
    shown.length === all.length &&
    widthIn(shown, 'width') <= width &&
    all.every(
      (column, at) =>
        column.width === whole[at] || column.cells.every((cell) => cell === '-' || SHOWN_MOMENT.test(cell)),
    )
  );
}

const hasSentences = ({ cells }: Column): boolean =>
  cells.some((cell) => cell.includes(' ') && !SHOWN_MOMENT.test(cell));

/**
 * Returns a table that is no wider than the terminal, unless its identifiers are. It shortens the widest column first,
 * and omits columns from the last one if they would become unreadable.
 */
export const table = (...of: Parameters<typeof tableLines>): string =>
  tableLines(...of)
    .map((line) => `${line}\n`)
    .join('');

/** Returns the headings, and a line for each row. */
export function tableLines(
  rows: readonly unknown[],
  columns: Columns,
  width: number,
  form: OutputFormat,
  onOmittedColumns: OnOmittedColumns = () => {},
): string[] {
  const all = columnsIn(rows, columns);
  const shown = fitColumns(all, width);
  if (shown.length < all.length) onOmittedColumns(all.filter((one) => !shown.includes(one)).map(({ name }) => name));
  const widths = shown.map((one) => one.width);
  const heads = shown.map(({ head }) => head);
  const cells = rows.map((_, at) => shown.map((one) => one.cells[at] ?? ''));
  const lineOf = (line: readonly string[], style: (text: string, at: number) => string): string =>
    line
      .map((cell, at) => {
        const text = shorten(cell, widths[at] ?? 0);
        return style(at === line.length - 1 ? text : pad(text, widths[at] ?? 0), at);
      })
      .join('  ');
  return [
    lineOf(heads, (text) => heading(text, form)),
    ...cells.map((line) => lineOf(line, (text, at) => colourStatus(text, shown[at]?.name ?? '', form))),
  ];
}
