// Prints results: tables on a terminal, otherwise JSON, one object per line.
import type { BinaryBody } from './binary.ts';
import { blocks } from './blocks.ts';
import { type Columns, cellOf, colourStatus, fieldOf, heading, isObject, type OutputFormat } from './cells.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { list, record } from './record.ts';
import { fitsWhole, headOf, type OnOmittedColumns, table } from './table.ts';
import { escapeJson, escapeText, escapeTextLines, pad, widthOf } from './text.ts';

/** Returns the chosen fields in the order in which the user named them. */
export function selectFields(value: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0 || !isObject(value)) return value;
  const unknown = fields.find((field) => fieldOf(value, field) === undefined);
  if (unknown !== undefined) {
    throw new UsageError(
      `field ${escapeText(unknown)} not found; existing fields: ${escapeText(Object.keys(value).join(', '))}.`,
    );
  }
  return Object.fromEntries(fields.map((field) => [field, fieldOf(value, field)]));
}

const printOmittedColumns =
  (io: Io): OnOmittedColumns =>
  (names) =>
    io.err(`Columns that do not fit: ${names.join(', ')}. Use a wider terminal or --json.\n`);

/** Prints one result: text as it is, an object as a record or as JSON. */
export function printOne(io: Io, value: unknown, form: OutputFormat): void {
  if (value === undefined) return;
  if (typeof value === 'string') {
    const text = io.isTerminal ? escapeTextLines(value) : value;
    io.out(text.endsWith('\n') ? text : `${text}\n`);
  } else if (form.json || !io.isTerminal || !isObject(value)) {
    io.out(`${escapeJson(selectFields(value, form.json ?? []), io.isTerminal ? 2 : undefined)}\n`);
  } else {
    // Several tables of the record can omit the same column.
    const omittedColumns: string[] = [];
    io.out(record(value, io.columns, form, (names) => omittedColumns.push(...names)));
    if (omittedColumns.length > 0) printOmittedColumns(io)([...new Set(omittedColumns)]);
  }
}

/** Writes the bytes unchanged. A terminal would interpret them, so it gets a message on stderr in place of the bytes. */
export function printBinary(io: Io, { contentType, bytes }: BinaryBody): void {
  if (io.isTerminal) {
    const found = `${escapeText(contentType)}, ${bytes.length} bytes`;
    io.err(`The response is not text: ${found}. To save it, run the command with > FILE.\n`);
  } else {
    io.outBytes(bytes);
  }
}

/** Prints a JSON document that programs read as a whole, indented on a terminal and in a file. */
export function printDocument(io: Io, value: unknown, form: OutputFormat): void {
  io.out(`${escapeJson(selectFields(value, form.json ?? []), 2)}\n`);
}

/**
 * Prints a list: on a terminal as a table, or as blocks if the table does not fit; otherwise as a line of JSON for each
 * item.
 */
export async function printList(
  io: Io,
  items: AsyncIterable<unknown> | Iterable<unknown>,
  columns: Columns,
  form: OutputFormat,
  nothing = 'Nothing found.',
): Promise<void> {
  const rows: unknown[] = [];
  for await (const item of items) {
    if (form.json || !io.isTerminal) io.out(`${escapeJson(selectFields(item, form.json ?? []))}\n`);
    else rows.push(item);
  }
  if (form.json || !io.isTerminal) return;
  if (rows.length === 0) return io.err(`${nothing}\n`);
  // A column that is empty in every row would only take the place of the others.
  const filled = columns.filter((name) => rows.some((row) => cellOf(fieldOf(row, name)) !== '-'));
  const print = fitsWhole(rows, filled, io.columns) ? table : blocks;
  io.out(print(rows, filled, io.columns, form));
}

/** Prints a list whose sentences are read in full: no sentence is cut off. */
export async function printSentences(
  io: Io,
  items: readonly unknown[],
  columns: Columns,
  form: OutputFormat,
): Promise<void> {
  if (form.json || !io.isTerminal || items.length === 0) return printList(io, items, columns, form);
  const rows = items.map((item) => Object.fromEntries(columns.map((name) => [name, fieldOf(item, name)])));
  io.out(list(rows, io.columns, form, printOmittedColumns(io)));
}

/** Returns a function that prints rows as they arrive, below headings and in columns that widen as needed. */
export function createStream(io: Io, columns: Columns, form: OutputFormat): (items: readonly unknown[]) => void {
  const heads = columns.map(headOf);
  const widths = heads.map(widthOf);
  let isHeaded = false;
  return (items) => {
    for (const item of items) {
      if (form.json || !io.isTerminal) {
        io.out(`${escapeJson(selectFields(item, form.json ?? []))}\n`);
        continue;
      }
      const cells = columns.map((column) => cellOf(fieldOf(item, column)));
      for (const [at, cell] of cells.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
      const aligned = (texts: readonly string[]): string[] =>
        texts.map((one, at) => (at === texts.length - 1 ? one : pad(one, widths[at] ?? 0)));
      // After the widths of the first row, so that each heading stands above its column.
      if (!isHeaded) io.out(`${heading(aligned(heads).join('  '), form)}\n`);
      isHeaded = true;
      io.out(
        `${aligned(cells)
          .map((cell, at) => colourStatus(cell, columns[at] ?? '', form))
          .join('  ')}\n`,
      );
    }
  };
}
